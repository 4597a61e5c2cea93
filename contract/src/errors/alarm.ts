import { limits } from '../limits.ts'
import { type ErrorKind, refusals } from './error-kind.ts'

/** Alarms, and what keeps them from telling anybody. */
export const alarmErrors = {
  ...refusals({
    SHELVE_SCOPE: {
      cn: '报警、规则和变量只能选择其一',
      en: 'Choose an alarm, a rule or a variable, not more than one of them',
    },
    SHELVE_SPAN: {
      cn: `搁置的结束时间须在现在之后，最长 ${limits.shelveDaysMax} 天`,
      en: `Choose an end in the next ${limits.shelveDaysMax} days`,
    },
    SHELVES_FULL: {
      cn: `每台设备最多 ${limits.shelvesPerMachine} 项搁置和停用`,
      en: `A device can have up to ${limits.shelvesPerMachine} shelvings`,
    },
    ALARM_SPAN: {
      cn: `时段最长 ${limits.alarmQualityDaysMax} 天`,
      en: `Choose a period of up to ${limits.alarmQualityDaysMax} days`,
    },
  }),
} satisfies Record<string, ErrorKind>
