// Numbers for all cells of a weight or an item. SPDX-License-Identifier: MIT

export class Table {
  /** Row by row. */
  readonly data: Float64Array;
  readonly extent: readonly number[];
  /** The index that stands at position 0 of each dimension. */
  readonly origin: readonly number[];

  constructor(data: Float64Array, extent: readonly number[], origin: readonly number[]) {
    this.data = data;
    this.extent = extent;
    this.origin = origin;
  }

  /** The number at these index values, which are those of the notation. */
  at(...index: number[]): number | undefined {
    let at = 0;
    for (const [q, extent] of this.extent.entries()) {
      const position = index[q]! - this.origin[q]!;
      if (!(position >= 0 && position < extent)) return undefined;
      at = at * extent + position;
    }
    return this.data[at];
  }

  /** Calls back with each cell's index values and number. */
  forEach(visit: (index: number[], number: number) => void): void {
    const index = [...this.origin];
    for (const number of this.data) {
      visit([...index], number);
      for (let q = index.length; q-- > 0;) {
        if (++index[q]! < this.origin[q]! + this.extent[q]!) break;
        index[q] = this.origin[q]!;
      }
    }
  }

  /** Arrays in arrays, as `trapeze run` prints them. */
  toJSON(): unknown {
    let rows: unknown[] = Array.from(this.data);
    for (let q = this.extent.length; q-- > 1;) {
      const size = this.extent[q]!;
      const count = this.extent.slice(0, q).reduce((a, b) => a * b, 1); // which rows of nothing do not tell
      rows = Array.from({ length: count }, (_, r) => rows.slice(r * size, (r + 1) * size));
    }
    return this.extent.length === 0 ? rows[0] : rows;
  }
}
