/** Of addresses, also in the full-width forms that mail programs read as the same, and what turns the text's direction. */
const linking = /[./\\@:。．｡／＠：․\p{Cc}\p{Bidi_Control}]+/gu

/**
 * A name that a person chose, for a mail to somebody who may not know them: without the characters that mail programs
 * make a link of (rules/messages.md: kinds of mails).
 */
export const plainName = (name: string): string => name.replace(linking, '').trim()
