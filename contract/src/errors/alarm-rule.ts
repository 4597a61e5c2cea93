import { refusals } from './error-kind.ts'

/** Rules for alarms. */
export const alarmRuleErrors = {
  ...refusals({
    RULES_FULL: {
      cn: '该设备的报警规则已达上限（200 条），请先删除不用的规则',
      en: 'This device has 200 alarm rules, which is the maximum. Delete a rule first.',
    },
    RULE_TAG_UNKNOWN: {
      cn: '规则中的变量不存在，或不属于该设备',
      en: 'The device has no such variable',
    },
    RULE_TAG_TYPE: {
      cn: '该变量的类型不适用于此规则',
      en: 'This kind of rule doesn’t fit the type of the variable',
    },
    RULE_TEMPLATES_FULL: {
      cn: '该设备类型的模板已达上限（50 个），请先删除不用的模板',
      en: 'There are 50 templates for this device type, which is the maximum. Delete a template first.',
    },
    RULE_FILE_TOO_LONG: {
      cn: '文件超过 1000 行，请拆分后分别导入',
      en: 'The file has more than 1,000 lines. Split it into smaller files.',
    },
    RULE_FILE_UNREADABLE: {
      cn: '无法识别该文件，请使用导出的 CSV 格式',
      en: 'The file can’t be read. Use the CSV format of the export.',
    },
  }),
}
