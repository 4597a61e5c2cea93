import { refusals } from './error-kind.ts'

/** Scheduled reports. */
export const reportErrors = {
  ...refusals({
    REPORTS_FULL: {
      cn: '报告数量已达上限（50 个），请先删除不用的报告',
      en: 'There are 50 reports, which is the maximum. Delete a report first.',
    },
    REPORT_MACHINES: {
      cn: '报告中有您无权访问的设备，请移除后再保存',
      en: 'The report has devices that you don’t have access to. Remove them, then save.',
    },
    REPORT_RECIPIENTS: {
      cn: '收件人只能是可以访问这些设备的用户，或已确认的邮件接收人',
      en: 'Recipients must be users with access to these devices, or confirmed e-mail recipients',
    },
    REPORT_EMPTY: {
      cn: '请至少选择一项内容；变量统计和趋势图需要选择变量',
      en: 'Select at least one part of the contents. Statistics and trends need variables.',
    },
    REPORT_RUNNING: {
      cn: '该报告正在生成，请稍候',
      en: 'This report is already being generated. Wait until it’s done.',
    },
  }),
}
