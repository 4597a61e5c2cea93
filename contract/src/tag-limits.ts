export const tagTypes = ['bool', 'int64', 'float64', 'string'] as const

/**
 * Limits of tag settings, apart from those that the pages before a session need (rules/data-centre.md: settings of
 * variables).
 */
export const tagLimits = {
  /** Widths of a name, a unit and a text of a value. */
  tagNameTextMax: 40,
  tagUnitMax: 16,
  tagValueTextMax: 20,
  /** Values of one tag that have a text. */
  tagValueTextsMax: 200,
  tagDigitsMax: 12,
  /** Replaced meters of one tag. */
  tagResetsMax: 100,
  /** Lines of a file of tags, with room for those that are refused. */
  tagFileLines: 20_000,
  tagFileCharactersMax: 1_300_000,
  tagFileBytesMax: 4_194_304,
  /** Lines of a file whose changes, and whose refusals, are listed one by one. */
  tagFileLinesTold: 500,
} as const
