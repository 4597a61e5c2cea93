import { refusals } from './error-kind.ts'

/** Scheduled reports. */
export const reportErrors = {
  ...refusals({
    REPORTS_FULL: {
      cn: '报告已满（最多 50 个），请先删除不用的报告',
      en: 'There are 50 reports, which is the maximum. Delete a report first.',
    },
    REPORT_MACHINES: {
      cn: '报告包含您没有访问权限的设备，请移除后再保存',
      en: 'The report contains devices that you don’t have access to. Remove them, then save.',
    },
    REPORT_RECIPIENTS: {
      cn: '收件人只能是可以访问这些设备的用户，或已确认的邮件接收人',
      en: 'Recipients have to be people with access to these devices, or e-mail recipients who confirmed',
    },
    REPORT_EMPTY: {
      cn: '请至少选择一项内容；变量统计和趋势图需要选择变量',
      en: 'Choose what the report contains. Statistics and trends need variables.',
    },
    REPORT_RUNNING: {
      cn: '该报告正在生成，请稍候',
      en: 'This report is being generated. Wait until it is done.',
    },
  }),
}
