/** The settings of one's own account, and where they stand. */
export const settings = {
  title: '设置',
  menu: {
    profile: '个人信息',
    security: '登录与安全',
    sessions: '登录管理',
    friends: '好友',
    appearance: '界面',
  },
  leads: {
    profile: '您的姓名和联系方式。',
    security: '密码、两步验证和账号操作记录。',
    sessions: '查看并退出已登录的终端。',
    appearance: '语言、时区和主题。',
  },
}
