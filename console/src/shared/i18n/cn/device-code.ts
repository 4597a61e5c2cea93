/** The page of programs that sign in brings its words itself. */
export const deviceCodeText = {
  title: '程序登录',
  lead: '请输入程序显示的登录码。程序将使用您的账号登录，不会获取您的密码。',
  code: '登录码',
  form: '登录码为 8 位字母和数字，例如 7KMP-4TXW，不含 0、1、I、L、O',
  next: '下一步',
  asks: '有程序请求用您的账号登录。请确认程序显示的登录码与此一致：',
  program: '程序',
  warning: '如果程序不是您本人启动，或登录码由他人发送给您，请拒绝。确认后，该程序可以使用您的账号。',
  programs: {
    connect: {
      name: 'Busbar Connect 所在电脑',
      asks: 'Busbar Connect 请求访问您设备的端口。它可以列出您的设备、打开设备端口，并为此获取控制权，不能用您的账号做其他任何操作。请确认程序显示的登录码与此一致：',
      warning:
        '如果程序不是您本人启动，或登录码由他人发送给您，请拒绝。确认后，该程序可以按您的权限访问设备所连接的控制器。',
    },
  },
  confirmed: '已确认，程序正在登录',
  confirmedHint: '可关闭此页面并返回程序。之后可在安全中心将其退出。',
  refused: '已拒绝，程序未登录',
  over: '登录码无效或已过期',
  overHint: '登录码 10 分钟内有效，只能使用一次。请检查输入，或在程序中重新获取。',
  tooMany: '尝试次数过多',
  tooManyHint: '请一分钟后再试，登录码在此期间仍有效。',
  another: '输入另一个登录码',
}
