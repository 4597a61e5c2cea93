/** Texts of the choice that is made when an enterprise is deleted. */
export const handoverChoice = {
  devices: '企业的设备',
  toNobody: '不移交，解除所有者',
  toSomebody: '移交给…',
  nobodyHint: '企业删除后，其他人可凭设备密码绑定这些设备。',
  nobodyEnds: (to: string) => `对 ${to} 的移交请求将取消；企业删除后，其他人可凭设备密码绑定这些设备。`,
  unread: '加载失败，请关闭后重试。',
  ask: '请求接收',
  askPersonHint: '对方同意后，企业删除时全部设备归对方所有。请求 14 天内有效，您可以随时撤回。',
  askSpaceHint:
    '由该企业中有设备管理权限的成员处理；同意后，企业删除时全部设备归该企业所有。请求 14 天内有效，您可以随时撤回。',
  waiting: (to: string, n: number, until: string) =>
    `等待 ${to} 同意接收 ${n} 台设备，${until} 前有效。对方同意后才能注销并移交设备。`,
  ready: (to: string, n: number, until: string) =>
    `${to} 已同意接收：企业删除时，${n} 台设备移交给对方。请在 ${until} 前申请注销。`,
  withdraw: '撤回请求',
  withdrawn: '已撤回移交请求',
  failed: '发送失败，已保留输入的内容，请重试。',
}
