/**
 * Reasons why data from the other side of the link is invalid: `truncated` (ends in the middle of a field),
 * `malformed` (not protobuf at all), `utf8` (a string that is not UTF-8), `limit` (bigger than a named
 * limit), `unsupported` (cannot be represented), `topic` (a wrong identifier).
 */
export type LinkErrorReason = 'truncated' | 'malformed' | 'utf8' | 'limit' | 'unsupported' | 'topic'

/** The one error this package throws. `reason` is for programs, `message` for a person reading the raw log. */
export class LinkError extends Error {
  readonly reason: LinkErrorReason

  constructor(reason: LinkErrorReason, message: string) {
    super(message)
    this.name = 'LinkError'
    this.reason = reason
  }
}
