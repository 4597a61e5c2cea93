import { refusals } from './error-kind.ts'

/** Files that the platform makes. */
export const fileErrors = {
  ...refusals({
    FILES_FULL: {
      cn: '您的文件已占满 10 GB，请先删除不需要的文件',
      en: 'Your files take up 10 GB, which is the maximum. Delete some first.',
    },
    FILES_NO_ROOM: {
      cn: '平台存放文件的空间不足，请稍后再试或联系平台管理员',
      en: 'The platform’s file storage is full. Try again later, or contact the platform operator.',
    },
    FILE_GONE: {
      cn: '文件已过期或已删除',
      en: 'The file has expired or was deleted',
    },
  }),
}
