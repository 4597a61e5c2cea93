/** The notices of every page. */
export const notices = {
  label: '通知',
  undo: '撤销',
  dismiss: '关闭通知',
  noPage: '该页面不存在',
  sessionOver: '登录已失效，请重新登录',
  http: {
    400: '平台未接受此操作，请刷新页面后重试',
    403: '您没有此操作的权限',
    404: '所请求的内容不存在',
    408: '平台响应超时',
    429: '操作过于频繁，请稍后再试',
  } as Readonly<Record<number, string>>,
  failed: '平台出错，请稍后重试',
  unreachable: '无法连接平台，请检查网络',
  copied: '已复制',
  copyFailed: '无法复制，请手动选择',
}
