/** Alarms of machines: the only module that writes the table `alarms`, and its readers for others. */
export {
  type AlarmChange,
  type AlarmKind,
  alarmKinds,
  type ShelveChange,
  type ShelveKind,
  shelveKinds,
} from './alarm-change.ts'
export { type AlarmEvent, openAlarmsMax } from './alarm-event.ts'
export type { AlarmFacts } from './alarm-facts.ts'
export { createAlarmsModule } from './alarms-module.ts'
export { type Confirmer, confirmAlarms } from './alarms-store.ts'
export {
  countOpenAlarms,
  listFaultSpans,
  listOpenAlarms,
  type OpenAlarmRow,
  type OpenAlarms,
  openAlarmsOf,
} from './alarms-views.ts'
export { writeAlarms, writeAlarmsWithin } from './apply-alarms-store.ts'
export { type Attention, type AttentionEnd, listAttention } from './attention-views.ts'
export { type AlarmScope, nameOfMachine } from './centre-store.ts'
export { textOf } from './centre-views.ts'
export { type PeriodAlarm, type PeriodAlarms, readPeriodAlarms } from './period-views.ts'
export { type Covered, listShelvesInForce } from './shelves-store.ts'
export type { TagNames, TagSource } from './tag-names.ts'
