/** The values of one statement, in the order of their placeholders. Input enters SQL only here. */
export class SqlValues {
  readonly values: unknown[] = [];

  /** The placeholder of a value, cast to its SQL type. */
  add(value: unknown, sqlType: string): string {
    this.values.push(value);
    return `$${this.values.length}::${sqlType}`;
  }
}
