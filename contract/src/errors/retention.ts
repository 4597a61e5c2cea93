import { refusals } from './error-kind.ts'

/** The retention of values. */
export const retentionErrors = {
  ...refusals({
    RETENTION_TOO_LONG: {
      cn: '原始数据的保留期限超过了本平台的上限',
      en: 'This platform doesn’t keep raw values for that long',
    },
    RETENTION_ORDER: {
      cn: '小时平均值的保留期限不能短于分钟平均值，分钟平均值不能短于原始数据',
      en: 'Hourly averages must be kept at least as long as minute averages, and minute averages at least as long as raw values',
    },
    RETENTION_CONFIRM: {
      cn: '缩短保留期限会在 24 小时后永久删除超出期限的数据，请确认',
      en: 'A shorter period permanently deletes older data after 24 hours. Confirm to continue.',
    },
  }),
}
