/** The palette's entries beside the devices, with further words that find them. */
export const palette = {
  actions: '操作',
  add: '添加设备',
  addTo: (space: string) => `添加设备到“${space}”`,
  invite: (space: string) => `邀请成员加入“${space}”`,
  light: '浅色主题',
  dark: '深色主题',
  system: '跟随系统主题',
  language: '切换到 English',
  shortcuts: '键盘快捷键',
  program: '程序登录',
  apiDoc: '接口文档',
  words: {
    theme: '主题 外观 theme 暗色 夜间',
    language: '语言 中文 language',
    add: '新增 绑定',
    invite: '成员 同事',
    signOut: '退出 注销 logout',
    check: '离线 原因 连接 故障 check why',
  },
}
