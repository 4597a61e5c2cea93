import { refusals } from './error-kind.ts'

/** What people say about tags. */
export const tagErrors = {
  ...refusals({
    TAG_DIGITS_TYPE: {
      cn: '只有浮点数变量可以设置小数位数',
      en: 'Only floating-point variables have decimal places',
    },
    TAG_LIMITS_TYPE: { cn: '只有数值变量可以设置上下限', en: 'Only numeric variables have limits' },
    TAG_LIMITS_ORDER: { cn: '下限不能大于上限', en: 'The lower limit can’t be above the upper limit' },
    TAG_LIMITS_DEVICE: {
      cn: '上下限不能超出设备自身的范围',
      en: 'Limits can’t be wider than the device’s own range',
    },
    TAG_VALUES_TYPE: {
      cn: '值的文本与变量类型不符：布尔变量用 true、false，数值变量用整数，文本变量不支持',
      en: 'The texts of values don’t fit the variable’s type: use true and false for booleans and whole numbers for numbers. Text variables have none.',
    },
    TAG_WRITABLE_DEVICE: {
      cn: '设备已声明该变量是否可写，不能修改',
      en: 'The device itself says whether this variable can be written, so it can’t be changed here',
    },
    TAG_FILE_UNREADABLE: {
      cn: '文件缺少表头“tag”列，请使用导出的文件',
      en: 'The file has no column “tag”. Use a file in the format of the export.',
    },
    TAG_FILE_TOO_LONG: { cn: '文件超过 20000 行', en: 'The file has more than 20,000 lines' },
  }),
}
