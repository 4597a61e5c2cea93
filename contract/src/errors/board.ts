import { refusals } from './error-kind.ts'

/** Boards. */
export const boardErrors = refusals({
  BOARDS_FULL: {
    cn: '看板数量已达上限（200 个），请先删除不用的看板',
    en: 'There are 200 boards, which is the maximum. Delete a board first.',
  },
  BOARD_TOO_LARGE: {
    cn: '看板内容过大（最多 256 KB），请减少组件',
    en: 'The board is larger than 256 KB. Remove some tiles.',
  },
  BOARD_NO_VARIABLE: {
    cn: '请选择模板中可替换的设备',
    en: 'Select the device that can be replaced when the template is used',
  },
  BOARD_TEMPLATES_FULL: {
    cn: '看板模板已达上限（200 个），请先删除不用的模板',
    en: 'There are 200 templates, which is the maximum. Delete a template first.',
  },
  BOARD_SHARE_OWN: {
    cn: '看板已在该空间中，无需共享',
    en: 'The board is already in this space',
  },
  BOARD_SHARES_FULL: {
    cn: '该看板的共享已达上限（50 个），请先取消不用的共享',
    en: 'The board is shared 50 times, which is the maximum. Remove a share first.',
  },
  SHARED_BOARDS_FULL: {
    cn: '对方收到的共享看板已达上限（200 个）',
    en: 'The receiver already has 200 shared boards, which is the maximum',
  },
  BOARD_CHANGED: {
    cn: '其他人已修改该看板，请合并后再保存',
    en: 'Someone else has changed this board. Merge both changes, then save.',
  },
})
