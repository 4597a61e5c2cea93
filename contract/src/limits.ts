/**
 * Every limit that both sides use. The maximum length of a text is its width (`textWidth`: a narrow character counts as
 * a half), the minimum counts characters; passwords, codes, keys and e-mail addresses count characters only.
 */
export const limits = {
  /** A request's body: of strangers, of people who signed in, and of the few routes that take more. */
  publicBodyBytesMax: 16_384,
  signedInBodyBytesMax: 65_536,
  largeBodyBytesMax: 1_048_576,
  formNamesMax: 1_000,
  formValuesMax: 5_000,
  jsonNodesMax: 20_000,
  idMax: Number.MAX_SAFE_INTEGER,
  machineCodeDigits: 19,
  machineNameMax: 20,
  /** Width of the name in the console's dialog for adding a machine. */
  machineNameAddMax: 15,
  remarkMax: 10,
  machinePasswordMin: 8,
  machinePasswordMax: 64,
  passwordMin: 6,
  passwordMax: 20,
  codeLength: 4,
  friendsMax: 1000,
  /** Obstacles of one kind that are listed when an account cannot be deleted. */
  hindrancesTold: 50,
  phoneMax: 24,
  personNameMin: 2,
  personNameMax: 10,
  groupNameMax: 10,
  groupsPerUser: 200,
  visitMessageMax: 15,
  visitEndNoteMax: 50,
  /** The path a visit opens at, with its query. */
  visitPathMax: 2_048,
  messagesPerCall: 500,
  visitReportDaysMax: 366,
  reportVisitsMax: 1000,
  reportWritesMax: 5000,
  /** Changed values that a report shows, and the record of one visit. */
  reportChangesMax: 2000,
  visitChangesMax: 500,
  /** Places that the tools of one visit wrote; further ones are only counted. */
  portPlacesPerVisitMax: 5000,
  /** Values that one call puts back. */
  putBackMax: 50,
  accountMax: 254,
  terminalUuidMax: 64,
  terminalNameMax: 64,
  tagsPerMachine: 5000,
  tagsPerHistory: 20,
  historyPointsMax: 5000,
  historyPointsDefault: 600,
  /** States of a variable whose times are listed one by one. */
  statesPerStatistics: 50,
  /** Samples one history may read. */
  historyRowsMax: 5_000_000,
  /** Calls of one kind of load that run at the same time. */
  loadRunningPerPerson: 2,
  loadRunningMax: 6,
  listPageMax: 5000,
  tagTextBytesMax: 1024,
  statesPerCall: 5000,
  /** As many codes as a body of 64 kB has room for. */
  statesByCodePerCall: 2500,
  // See rules/machines.md: own list.
  machinesPerList: 5000,
  visitMinutesMin: 10,
  visitMinutesMax: 5_256_000,
  writesPerList: 500,
  rawMessagesMax: 100,
  /** Limits of one visit, and of one machine's tunnel, at a time (rules/visits.md: streams). */
  streamsPerVisit: 32,
  streamsPerTunnel: 128,
  /** Live at a time; a further one ends the one unused for longest. */
  visitsPerSession: 20,
  /** Open at one time in the portal of a project. */
  visitsPerProject: 200,
  enterpriseNameMax: 40,
  /** Enterprises one person owns. */
  enterprisesPerOwner: 20,
  membersPerEnterprise: 10_000,
  groupsPerEnterprise: 200,
  teamsPerEnterprise: 200,
  teamNameMax: 20,
  teamMembersMax: 500,
  maintenanceReasonMax: 50,
  maintenanceDaysMax: 366,
  /** Not answered yet, of one enterprise. */
  maintenanceWaitingMax: 100,
  brandNameMax: 30,
  brandHostsMax: 20,
  brandDownloadsMax: 10,
  smsSignatureMax: 12,
  /** A picture people give: its file, and each side of it in pixels. */
  uploadBytesMax: 2_097_152,
  /** Room for the purpose, names and boundaries beside the file. */
  uploadFormBytesMax: 2_097_152 + 16_384,
  uploadPixelsMax: 4096,
  uploadsPerUser: 200,
  machineTypesMax: 200,
  /** Widths of the type that a machine reports, and of the type's name. */
  machineTypeMax: 32,
  machineTypeNameMax: 20,
  /** Days that samples and their averages of minutes and hours may be kept. */
  retentionDaysMin: 7,
  retentionRawDaysUsual: 90,
  retentionRawDaysMax: 400,
  retentionMinuteDaysMax: 1_825,
  retentionHourDaysMax: 3_650,
  codePatternPartsMax: 50,
  codePatternCharactersMax: 2_000,
} as const

/** The product's version, as programs and people see it. */
export const productVersion = '1.7.0-dev'

/** Timing that console and platform agree on, in milliseconds. */
export const timing = {
  httpTimeoutMs: 15_000,
  heartbeatMs: 15_000,
  reconnectMs: 5_000,
  pushSilenceMs: 45_000,
  // See rules/console.md: notices.
  noticeMs: 3_000,
  signOutDelayMs: 1_000,
  // See rules/console.md: titles.
  titleDelayMs: 1_000,
  pushTicketMs: 30_000,
  /** A visit without a sign of life, and a visit in all (rules/visits.md: end of a visit). */
  visitIdleMs: 30 * 60_000,
  visitMaxMs: 8 * 3_600_000,
  visitWarningMs: 5 * 60_000,
  /** A link joins a visit that its person opened at most this long ago; later it shows a page with a button. */
  visitJoinMs: 10 * 60_000,
  /**
   * The controller falls free this long after the last page of its visit was closed, or after its last use
   * (rules/visits.md: release of control).
   */
  controlReleaseMs: 2 * 60_000,
  /** The visitor is warned this long before; a page in the background can send a request only once a minute. */
  controlWarningMs: 55_000,
  /** A visitor who keeps control keeps it this long without a page. */
  controlKeptMs: 10 * 60_000,
  /** A write without a visit keeps a free controller this long. */
  writeControlMs: 60_000,
  writeTimeoutMs: 10_000,
  /**
   * An application without an answer is over, and an offered machine is no longer offered (rules/access.md:
   * applications).
   */
  applicationMs: 24 * 3_600_000,
  /** Lifetime of a link that confirms a contact's address, and the interval before its mail is sent again. */
  contactLinkMs: 7 * 24 * 3_600_000,
  contactAskMs: 3_600_000,
  /** Lifetime of a link in a mail that confirms an alarm (rules/messages.md: links in mails). */
  alarmLinkMs: 24 * 3_600_000,
  /**
   * From the request to delete an account or an enterprise to its erasure; until then it can be taken back
   * (rules/accounts.md: deletion of an account).
   */
  leavingMs: 14 * 24 * 3_600_000,
  /**
   * An enterprise's request to take its devices can be accepted this long, and used by its deletion
   * (rules/enterprises.md: hand-over).
   */
  handoverMs: 14 * 24 * 3_600_000,
  /**
   * A shorter time for which samples are kept takes effect this long after it was set (rules/telemetry.md: retention).
   */
  retentionDelayMs: 24 * 3_600_000,
  /** A machine password proved counts this long (rules/access.md: audit modes). */
  machinePasswordTicketMs: 10 * 60_000,
} as const

/** The demo machine's code (rules/machines.md: demo machine). */
export const demoMachineCode = '0'.repeat(limits.machineCodeDigits)
