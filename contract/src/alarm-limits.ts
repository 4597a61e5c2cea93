/** Limits of alarms, rules and notifications, apart from those that the pages before a session need. */
export const alarmLimits = {
  /** A note beside a confirmation, in characters, and a reason for a shelving. */
  alarmNoteMax: 500,
  alarmReasonMax: 100,
  alarmSearchMax: 64,
  alarmsPerCall: 500,
  /** Alarms that one call shelves. */
  alarmShelvesPerCall: 200,
  /** Rows that a list of alarms counts and pages through; filters reach the others (rules/alarms.md: alarm centre). */
  alarmTotalMax: 10_000,
  alarmCsvLinesMax: 10_000,
  /** Days in which repeats of an alarm are one row, how many it counts, and how many times it names. */
  alarmRepeatsDays: 3,
  alarmRepeatsMax: 1_000,
  alarmRepeatsShown: 5,
  alarmQualityDaysMax: 92,
  alarmQualityRowsMax: 50,
  alarmFloodsMax: 50,
  /** The longest shelving, in days (rules/alarms.md: shelving). */
  shelveDaysMax: 30,
  shelvesPerMachine: 200,
  /** Shelvings of all machines that are listed at once. */
  shelvesShown: 500,
  /** Messages about alarms that a person lets come a day, on each channel. */
  alarmMessagesDailyMax: 1_000,
  /** Machines whose SMS and e-mails one call switches. */
  alarmSettingMachinesMax: 500,
  /** Visitors of a machine who get SMS and e-mails. */
  alarmVisitorsMax: 100,
  /** Rows of the send record that are counted and paged through. */
  sendRecordTotalMax: 10_000,
  /** Alarms whose notified people one call counts. */
  toldAlarmsMax: 200,
  /** Contacts of one person or enterprise, and machines of each. */
  contactsPerOwner: 200,
  machinesPerContact: 500,
  contactNameMax: 20,
  /**
   * Mails a day to unconfirmed addresses: of one person or enterprise, and to one address from everybody
   * (rules/messages.md: contacts).
   */
  contactMailsPerOwner: 50,
  contactMailsPerAddress: 3,
  escalationStepsMax: 5,
  escalationMinutesMax: 1_440,
  /** People or contacts that a step names. */
  escalationPeopleMax: 50,
  /** SMS segments that one act moves, and that one stock holds. */
  smsCountMax: 1_000_000,
  smsStockMax: 100_000_000,
  smsNoteMax: 50,
  /** Limit of one callback of an SMS service. */
  smsReportsMax: 500,
  /** Rules for alarms: of a machine, parts of a combination, combinations within one another. */
  alarmRulesPerMachine: 200,
  /** Lines of a file of rules, with room for those that are refused. */
  alarmRuleFileLines: 1_000,
  alarmRuleParts: 10,
  alarmRuleNesting: 2,
  /** On-delay and off-delay, in seconds. */
  alarmRuleDelayMaxS: 86_400,
  /** The time over which a rate is measured, in seconds. */
  alarmRuleRateMaxS: 86_400,
  /** Silence that a rule waits for, in seconds. */
  alarmRuleSilenceMinS: 5,
  alarmRuleSilenceMaxS: 2_592_000,
  /** Absence that a rule waits for, in minutes. */
  alarmRuleAwayMaxMinutes: 1_440,
  /** Widths of a rule's text, and of its recommended action. */
  alarmRuleTextMax: 100,
  alarmRuleInstructionMax: 1_000,
  /** Machines that one call copies rules to. */
  alarmRuleCopyMachines: 200,
  /** Templates that an owner keeps for one machine type. */
  alarmRuleTemplatesPerType: 50,
  alarmRuleTemplateNameMax: 20,
  /**
   * Days that a rule is tried over, and samples that are read for it; then it is tried over fewer days
   * (rules/alarms.md: trying a rule).
   */
  alarmRuleTryDays: 30,
  alarmRuleTrySamplesMax: 1_000_000,
  /** Spans that a try lists; the others are counted. */
  alarmRuleTrySpansMax: 1_000,
} as const
