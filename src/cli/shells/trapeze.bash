# Completion of trapeze for bash: the command itself knows what may follow (src/cli/complete.c).
# SPDX-License-Identifier: MIT
_trapeze() {
    local -a words=()
    local word last cut= joined=
    # Bash takes --name=value for three words.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ $joined || ($word == = && ${words[-1]-} == --*) ]]; then
            words[-1]+=$word
            [[ $word == = ]] && joined=yes || joined=
        else
            words+=("$word")
        fi
    done
    last=${words[-1]-}
    [[ $last == --*=* ]] && cut=${last%%=*}=
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        case $word in
        :files) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "${last#"$cut"}") ;;
        :folders) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "${last#"$cut"}") ;;
        *) COMPREPLY+=("${word#"$cut"}") ;;
        esac
        [[ $word != :f* ]] || compopt -o filenames 2>/dev/null
    done < <("$1" --complete "${words[@]}" 2>/dev/null)
}
complete -F _trapeze trapeze
