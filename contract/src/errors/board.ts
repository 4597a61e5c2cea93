import { refusals } from './error-kind.ts'

/** Boards. */
export const boardErrors = {
  ...refusals({
    BOARDS_FULL: {
      cn: '看板已满（最多 200 个），请先删除不用的看板',
      en: 'There are 200 boards, which is the maximum. Delete a board first.',
    },
    BOARD_TOO_LARGE: {
      cn: '看板内容过大（最多 256 KB），请减少磁贴',
      en: 'The board is larger than 256 KB. Remove some tiles.',
    },
    BOARD_NO_VARIABLE: {
      cn: '请选择一台设备，使用模板时会由其他设备代替它',
      en: 'Choose the device that another one takes the place of when the template is used',
    },
    BOARD_TEMPLATES_FULL: {
      cn: '看板模板已满（最多 200 个），请先删除不用的模板',
      en: 'There are 200 templates, which is the maximum. Delete a template first.',
    },
  }),
  BOARD_CHANGED: {
    http: 409,
    hwcode: 409,
    hwreason: 'BOARD_CHANGED',
    text: {
      cn: '其他人已修改该看板，请合并后再保存',
      en: 'Someone else changed this board in the meantime. Merge both changes, then save.',
    },
  },
}
