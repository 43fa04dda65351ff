/** The values of one statement, numbered as they are used. Text never enters SQL any other way. */
export class SqlValues {
  readonly values: unknown[] = [];

  /** The placeholder of a value, cast to its SQL type. */
  add(value: unknown, sqlType: string): string {
    this.values.push(value);
    return `$${this.values.length}::${sqlType}`;
  }
}
