/** The name of the device that is chosen when a board is opened. */
export const machineVariable = '$machine'

/** Limits of boards, apart from those that the pages before a session need (rules/data-centre.md: boards). */
export const boardLimits = {
  /** Boards of a person, and of an enterprise; deleted ones that can be restored do not count. */
  boardsPerSpace: 200,
  boardNameMax: 30,
  columns: 24,
  /** Rows from the top of a board to the end of its last tile. */
  boardRowsMax: 500,
  tilesPerBoard: 60,
  /** Variables of one tile, by its kind; the limit of a trend is that of one call of the history. */
  tagsPerBar: 20,
  tagsPerTrend: 20,
  tagsPerStrip: 12,
  tagsPerTable: 50,
  tagsPerPicture: 12,
  /** Devices whose alarms one tile shows. */
  machinesPerTile: 50,
  tileTitleMax: 30,
  tileTextMax: 2_000,
  layoutBytesMax: 262_144,
  /** Variables and devices that one call looks up. */
  boardTagsPerCall: 1_000,
  boardMachinesPerCall: 500,
  /** Former versions kept of a board. */
  versionsPerBoard: 50,
  deletedBoardsPerPage: 100,
  /** A deleted board can be restored for this long, in days. */
  boardRestoreDays: 30,
  templatesPerSpace: 200,
  sharesPerBoard: 50,
  /** Boards that are shared with a person, or with an enterprise. */
  sharedBoardsPerSpace: 200,
  tagNameMax: 256,
  tagGroupMax: 512,
  /** The shortest and longest time range, in milliseconds. */
  rangeMsMin: 60_000,
  rangeMsMax: 400 * 86_400_000,
} as const
