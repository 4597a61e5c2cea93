import { access } from './access.ts'
import { account } from './account.ts'
import { alarmRules } from './alarm-rules.ts'
import { alarms } from './alarms.ts'
import { applications } from './applications.ts'
import { dataCentre } from './data-centre.ts'
import { enterprises } from './enterprises.ts'
import { form } from './form.ts'
import { handover } from './handover.ts'
import { facts, history, raw } from './history.ts'
import { joining } from './joining.ts'
import { kit } from './kit.ts'
import { machineEdit } from './machine-edit.ts'
import { machines } from './machines.ts'
import { messages } from './messages.ts'
import { notifications } from './notifications.ts'
import { outside } from './outside.ts'
import { palette } from './palette.ts'
import { safety } from './safety.ts'
import { settings } from './settings.ts'
import { shortcuts } from './shortcuts.ts'
import { table } from './table.ts'
import { visitReport } from './visit-report.ts'
import { visits } from './visits.ts'

/** The Chinese dictionary; it decides which keys exist. */
export const cn = {
  ...outside,
  access,
  account,
  alarms,
  alarmRules,
  applications,
  dataCentre,
  enterprises,
  facts,
  form,
  handover,
  history,
  joining,
  kit,
  machineEdit,
  machines,
  messages,
  notifications,
  palette,
  raw,
  safety,
  settings,
  shortcuts,
  table,
  visitReport,
  visits,
}
