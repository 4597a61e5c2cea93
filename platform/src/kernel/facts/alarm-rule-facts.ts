/** Facts about rules for alarms. */
export interface AlarmRuleFacts {
  /** The rules of a machine were made, edited or removed. */
  'alarmRules.changed': { readonly machineId: number }
}
