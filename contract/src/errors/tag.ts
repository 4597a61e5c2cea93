import { refusals } from './error-kind.ts'

/** The settings of tags. */
export const tagErrors = {
  ...refusals({
    TAG_DIGITS_TYPE: {
      cn: '只有浮点数变量可以设置小数位数',
      en: 'Only floating-point variables have decimal places',
    },
    TAG_LIMITS_TYPE: { cn: '只有数值变量可以设置上下限', en: 'Only numeric variables have limits' },
    TAG_LIMITS_ORDER: { cn: '下限不能大于上限', en: 'The lower limit can’t be above the upper limit' },
    TAG_LIMITS_DEVICE: {
      cn: '上下限不能超出设备的范围',
      en: 'Limits can’t be outside the range of the device',
    },
    TAG_VALUES_TYPE: {
      cn: '枚举文本与变量类型不符：布尔变量用 true、false，数值变量用整数，文本变量不支持',
      en: 'The value texts don’t fit the variable’s type: use true and false for booleans and whole numbers for numbers. Text variables have no value texts.',
    },
    TAG_TYPE_DEVICE: {
      cn: '变量的类型由设备决定，不能修改',
      en: 'The device determines the type of this variable, so this can’t be changed here',
    },
    TAG_WRITABLE_DEVICE: {
      cn: '变量是否可写由设备决定，不能修改',
      en: 'The device determines whether this variable is writable, so this can’t be changed here',
    },
    TAG_RESETS_TYPE: { cn: '只有数值变量可以登记换表', en: 'Only numeric variables can be meters' },
    TAG_RESETS_MANY: {
      cn: '一个变量最多登记 100 次换表，请先删除旧记录',
      en: 'A variable has at most 100 replaced meters. Remove old ones first.',
    },
    TAG_FILE_UNREADABLE: {
      cn: '文件缺少表头“tag”列，请使用导出的文件',
      en: 'The file has no “tag” column. Use a file in the format of the export.',
    },
    TAG_FILE_TOO_LONG: {
      cn: '文件超过 20,000 行，请拆分为多个文件',
      en: 'The file has more than 20,000 rows. Split it into several files.',
    },
  }),
}
