import { refusals } from './error-kind.ts'

/** Files that the platform makes, tables that people bring, and the room of all that people keep. */
export const fileErrors = {
  ...refusals({
    FILES_FULL: {
      cn: '此类文件已占满分配的空间（平台文件空间的五分之一），请先删除不需要的文件',
      en: 'Files of this kind take up a fifth of the platform’s file storage, which is the maximum. Delete some first.',
    },
    FILES_NO_ROOM: {
      cn: '平台存放文件的空间不足，请稍后再试或联系平台管理员',
      en: 'The platform’s file storage is full. Try again later, or contact the platform operator.',
    },
    STORAGE_FULL: {
      cn: '存储空间已满：看板及其历史版本、模板、视图、标注、图片和定期报告等合计已达上限，请先删除不用的内容；已删除的看板需彻底删除才释放空间',
      en: 'The storage is full: boards with their versions, templates, views, notes, pictures and reports. Delete some first; a deleted board takes up storage until it is removed for good.',
    },
    TABLE_UNREADABLE: {
      cn: '无法识别该文件',
      en: 'The file can’t be read',
    },
    FILE_GONE: {
      cn: '文件已过期或已删除',
      en: 'The file has expired or was deleted',
    },
  }),
}
