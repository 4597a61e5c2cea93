import { refusals } from './error-kind.ts'

/** Writes of values. */
export const writeErrors = {
  ...refusals({
    MACHINE_OFFLINE: { cn: '设备离线，未写入', en: 'The device is offline. The value wasn’t written.' },
    TAG_READ_ONLY: { cn: '该变量不可写', en: 'This variable can’t be written' },
    VALUE_TYPE: { cn: '写入的值与变量类型不符', en: 'The value doesn’t match the type of this variable' },
    VALUE_RANGE: { cn: '写入的值超出允许范围', en: 'The value is outside the allowed range' },
    VALUE_DIGITS: {
      cn: '写入的值位数超出变量精度，系统不会自动舍入，未写入',
      en: 'The value has too many digits for this variable. Values aren’t rounded automatically, so the value wasn’t written.',
    },
    CHANGED_SINCE: {
      cn: '该值此后又被更改，未恢复',
      en: 'The value wasn’t put back, because it has been changed since',
    },
    WRITE_UNSUPPORTED: { cn: '设备不接受写入', en: 'The device doesn’t accept writes' },
  }),
}
