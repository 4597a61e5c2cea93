import { refusals } from './error-kind.ts'

/** Exports of values. */
export const exportErrors = {
  ...refusals({
    EXPORT_SPAN: {
      cn: '时间范围无效：结束时间须晚于开始时间，最长 5 年',
      en: 'The period must end after it starts; the maximum is 5 years',
    },
    EXPORT_CSV_SHEETS: {
      cn: '每台设备一个工作表仅适用于 xlsx 格式',
      en: 'One sheet for each device is possible in xlsx files only',
    },
    EXPORT_TOO_LARGE: {
      cn: '数据超过 1 亿个采样值，请缩短时间范围、减少变量或选择时间间隔',
      en: 'These are more than 100 million values. Choose a shorter period, fewer variables, or an interval.',
    },
    EXPORT_XLSX_TOO_LARGE: {
      cn: '数据超过 500 万行，请改用 csv 格式，或选择更长的时间间隔',
      en: 'The maximum of an xlsx file is 5 million rows. Use csv, or choose a longer interval.',
    },
    EXPORTS_FULL: {
      cn: '您已有 10 个导出任务未完成，请等待完成或取消',
      en: 'You have 10 exports that aren’t finished. Wait for one to finish, or cancel one.',
    },
    EXPORT_RIGHT_LOST: {
      cn: '您已没有查看部分设备数据的权限，不能下载此文件',
      en: 'You may no longer see the values of some of the devices, so this file can’t be downloaded',
    },
  }),
}
