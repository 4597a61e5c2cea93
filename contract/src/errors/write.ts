import { refusals } from './error-kind.ts'

/** Writes of values. */
export const writeErrors = {
  ...refusals({
    MACHINE_OFFLINE: { cn: '设备不在线，未写入', en: 'The device is offline: nothing was written' },
    TAG_READ_ONLY: { cn: '该变量不可写', en: 'This value cannot be set' },
    VALUE_TYPE: { cn: '写入的值与变量类型不符', en: 'The value does not fit the kind of this tag' },
    VALUE_RANGE: { cn: '写入的值超出允许范围', en: 'The value is outside what this tag allows' },
    VALUE_DIGITS: {
      cn: '写入的值位数超出变量精度，系统不会自动取舍，未写入',
      en: 'The value has more digits than this tag: it is not rounded, and nothing was written',
    },
    WRITE_UNSUPPORTED: { cn: '设备不接受写入', en: 'The device takes no writes' },
  }),
}
