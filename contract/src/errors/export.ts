import { refusals } from './error-kind.ts'

/** Exports of values. */
export const exportErrors = {
  ...refusals({
    EXPORT_SPAN: {
      cn: '时间范围无效：结束时间须晚于开始时间，最长 5 年',
      en: 'The time range must end after it starts and can’t exceed 5 years',
    },
    EXPORT_CSV_SHEETS: {
      cn: '“一台设备一个工作表”仅适用于 Excel（xlsx）格式',
      en: 'One sheet per device is available only in Excel files (xlsx)',
    },
    EXPORT_TOO_LARGE: {
      cn: '导出的数据超过 1 亿个值，请缩短时间范围、减少变量，或选择更长的时间间隔',
      en: 'The export has more than 100 million values. Select a shorter time range, fewer variables or a longer interval.',
    },
    EXPORT_XLSX_TOO_LARGE: {
      cn: 'Excel 文件最多 500 万行，请改用 CSV 格式，或选择更长的时间间隔',
      en: 'An Excel file has 5 million rows at most. Use CSV, or select a longer interval.',
    },
    EXPORTS_FULL: {
      cn: '您已有 10 个导出任务未完成，请等待完成或取消',
      en: 'You have 10 unfinished exports, which is the maximum. Cancel one, or try again when one has finished.',
    },
    EXPORT_RIGHT_LOST: {
      cn: '您已没有查看部分设备数据的权限，不能下载此文件',
      en: 'You no longer have access to the values of some devices, so you can’t download this file',
    },
  }),
}
