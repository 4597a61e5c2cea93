/** Section 8's global notices. */
export const notices = {
  label: '通知',
  undo: '撤销',
  dismiss: '关闭通知',
  noPage: '该页面不存在',
  // The text of the contract's error 113. The sign-in page does not load the contract; a test compares the two.
  tokenInvalid: '登录已失效（令牌过期），请重新登录。',
  noPermission: '登录已失效（令牌过期），无权访问！请重新登录。',
  serverApi: '服务接口错误',
  http: {
    400: '接口请求错误(400)',
    403: '拒绝访问(403)',
    404: '请求出错(404)',
    408: '平台响应超时',
    500: '服务器错误(500)',
    501: '服务未实现(501)',
    502: '网络错误(502)',
    503: '服务不可用(503)',
    504: '网络超时(504)',
    505: 'HTTP版本不受支持(505)',
  } as Readonly<Record<number, string>>,
  other: (status: number) => `连接出错(${status})!`,
  network: '网络或接口异常！',
  copied: '已复制',
  copyFailed: '无法复制，请手动选择',
}
