/** An answer that is JSON already: it goes out as it is, and long ones are not read and written again. */
export class JsonText<T> {
  readonly text: string
  /** The type of what the text says. */
  declare readonly of: T

  constructor(text: string) {
    this.text = text
  }
}
