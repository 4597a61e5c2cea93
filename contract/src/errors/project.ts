import { refusal, refusals } from './error-kind.ts'

/** Projects, their destinations, and what fetches their data. */
export const projectErrors = {
  '08011006': refusal('USER_NOT_FOUND', { cn: '用户不存在', en: 'There is no user with this account' }),
  '08011007': refusal('USER_IN_PROJECT', {
    cn: '该用户已在项目中',
    en: 'This user is already in the project',
  }),
  '08011008': refusal('MACHINE_IN_PROJECT', {
    cn: '该设备已在项目中',
    en: 'This device is already in the project',
  }),
  ...refusals({
    PROJECTS_OFF: {
      cn: '该企业未开通项目功能，请联系平台管理员',
      en: 'Projects aren’t turned on for this enterprise. Ask the operator of the platform.',
    },
    PROJECTS_FULL: {
      cn: '项目数已达上限（每位所有者 100 个）',
      en: 'The limit of 100 projects of one owner is reached',
    },
    PROJECT_MEMBERS_FULL: {
      cn: '项目成员已达上限（200 人）',
      en: 'The limit of 200 people in a project is reached',
    },
    PROJECT_MACHINES_FULL: {
      cn: '项目设备已达上限（5000 台）',
      en: 'The limit of 5,000 devices in a project is reached',
    },
    PROJECT_OWNER_STAYS: {
      cn: '项目所有者不能退出，请先转让或删除项目',
      en: 'The owner of a project can’t quit. Transfer the project, or delete it.',
    },
    PROJECT_HAS_OWNER: {
      cn: '项目所有者仍在企业中，不能接管',
      en: 'The owner of this project is still in the enterprise',
    },
    REPORTING_SERVER_UNKNOWN: { cn: '上报服务器不存在', en: 'There is no such reporting server' },
    REPORTING_SERVERS_FULL: {
      cn: '上报服务器已达上限（100 个）',
      en: 'The limit of 100 reporting servers is reached',
    },
    ORIGIN_WRONG: {
      cn: '来源只写协议、主机名和端口，例如 https://portal.example.com；不支持通配符、路径和 IP 地址',
      en: 'An origin is https and a host name, with a port or without, such as https://portal.example.com: no path, wildcard or IP address',
    },
    DESTINATIONS_FULL: {
      cn: '数据去向已达上限（每个项目 10 个）',
      en: 'The limit of 10 destinations of a project is reached',
    },
    DESTINATION_ADDRESS: {
      cn: '该地址不能作为数据去向',
      en: 'This address can’t be a destination',
    },
    DESTINATION_PLAIN: {
      cn: '数据去向须使用 https 或 mqtts',
      en: 'A destination needs https or mqtts',
    },
    DESTINATION_TYPE: {
      cn: '数据去向的类型不能修改，签名密钥仅用于 webhook',
      en: 'The kind of a destination can’t be changed, and only a webhook has a secret that signs',
    },
    DESTINATION_TOPIC: { cn: '主题格式不正确', en: 'This isn’t a topic that rows can be published to' },
    DESTINATION_CERTIFICATE: {
      cn: '证书或私钥无法读取，或者两者不匹配',
      en: 'The certificate or the key can’t be read, or they don’t belong together',
    },
    DESTINATION_PASSWORD: {
      cn: '更改地址后，请重新填写密码',
      en: 'The address is another one: enter the password again',
    },
    DESTINATION_TAKEN: {
      cn: '同一空间中已有数据去向在此 Broker 上使用相同的名称',
      en: 'Another destination of this space has this name at this broker',
    },
    DELIVERY_NOT_DEAD: {
      cn: '只有失败投递可以重新投递',
      en: 'Only a dead letter can be sent again',
    },
    DELIVERY_SENDING: {
      cn: '正在重新投递，请稍候',
      en: 'This dead letter is being sent now. Wait for the answer.',
    },
    DELIVERY_EMPTY: {
      cn: '该请求中的设备都已退出项目，没有可投递的数据',
      en: 'All devices in this request have left the project: there is nothing to send',
    },
    DESTINATION_OFF: {
      cn: '数据去向已关闭，请先开启',
      en: 'The destination is off. Turn it on first.',
    },
    REPLAY_SPAN: {
      cn: '补发的时间段须早于现在，最长 31 天',
      en: 'A replay covers a span of the past of at most 31 days',
    },
    REPLAY_RUNNING: { cn: '该去向正在补发', en: 'A replay to this destination is running' },
    HISTORY_SPAN: {
      cn: '历史时间段须有开始时间，早于现在，最长 31 天',
      en: 'A span of history has a beginning, lies in the past and covers at most 31 days',
    },
    CURSOR_WRONG: { cn: '游标无效', en: 'This cursor isn’t one of this project' },
    CURSOR_TOO_OLD: {
      cn: '游标过旧，其后的部分数据已不在项目数据流中',
      en: 'The cursor is too old: rows after it aren’t kept any more',
    },
    QUOTA_OVER: { cn: '本月额度已用完', en: 'The quota of this month is used up' },
    PROJECT_NOT_REPORTING: { cn: '项目未开启上报', en: 'The project’s reporting is off' },
    EMBEDDING_OFF: { cn: '项目未开启嵌入访问', en: 'Embedding is off for this project' },
    EMBEDDING_ORIGINS: {
      cn: '项目尚未填写允许嵌入的网站',
      en: 'The project names no website that may embed devices',
    },
    EMBEDDING_HTTPS: {
      cn: '嵌入访问需要平台使用 https',
      en: 'Embedding needs a platform on https',
    },
  }),
  PROJECT_KEY_WRONG: {
    http: 401,
    hwcode: 401,
    hwreason: 'PROJECT_KEY_WRONG',
    text: { cn: '项目 ID 或密钥错误', en: 'The project id or the key is wrong' },
  },
} as const
