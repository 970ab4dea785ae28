# Completion of trapeze for fish: the command itself knows what may follow (src/cli/complete.c).
# SPDX-License-Identifier: MIT
function __trapeze_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l cut (string match -r -- '^--[^=]*=' $last)
    set -l part (string replace -r -- '^--[^=]*=' '' $last)
    for line in ($words[1] --complete $words[2..] "$last" 2>/dev/null)
        switch $line
            case :files
                printf "$cut%s\n" (__fish_complete_path "$part")
            case :folders
                printf "$cut%s\n" (__fish_complete_directories "$part")
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c trapeze -f -a '(__trapeze_complete)'
