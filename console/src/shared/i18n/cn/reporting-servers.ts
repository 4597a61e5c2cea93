/** Of the list of reporting servers, which comes with it. */
export const reportingServersText = {
  title: '上报服务器',
  lead: '项目系统通过 MQTT 登录平台的其他地址，例如厂内网络或其他区域的入口，须为加密连接。项目所有者可以选用。',
  columns: { name: '名称', address: '地址' },
  own: '平台自身',
  add: '添加上报服务器',
  host: '主机名',
  hostWrong: '请只输入主机名或 IP 地址',
  port: '端口（加密）',
  portWrong: '请输入 1 到 65535 的端口',
  remove: '移除',
  confirmRemove: (name: string) => `移除“${name}”？`,
  confirmRemoveBody: '选用它的项目改回平台自身的地址，已连接的程序不受影响。',
  empty: '暂无上报服务器',
}
