/*
 * Words that people use for a page and its settings, in both languages of the product: many type the one while they
 * read the other. The titles of the pages find them as well.
 */
export const pageWords = {
  map: 'cloud map places where location position gps near 云地图 地图 位置 定位 附近',
  devices: 'machines controllers list home fleet online offline 设备 机器 控制器 列表 首页 在线 离线',
  connect:
    'connect register onboarding new controller plc agent install mqtt sparkplug http 接入 登记 注册 新设备 控制器 采集程序 安装',
  alarms: 'alerts alarm centre active acknowledge shelve journal 报警 告警 警报 报警中心 确认 搁置 事件',
  rules: 'alarm rules limits thresholds conditions templates 报警规则 限值 阈值 条件 上限 下限 模板',
  notifications:
    'notifications sms text messages e-mail email quiet hours do not disturb escalation on-call recipients contacts digest balance 通知 短信 邮件 免打扰 静默时段 升级 值班 接收人 联系人 摘要 余额',
  quality: 'alarm quality flood rate eemua isa statistics 报警质量 报警率 洪水 统计',
  sites: 'sites plans floor plan hall factory building layout 厂区 平面图 车间 厂房 布局',
  sims: 'sim cards iccid data volume plan carrier usage traffic expired suspended iot m2m 物联网卡 流量卡 sim卡 卡号 流量 套餐 运营商 停机 续费 到期',
  boards: 'boards dashboards tiles data centre center 看板 仪表盘 大屏 数据中心 卡片',
  explorer:
    'explorer trends charts curves compare statistics variables history 数据分析 趋势 曲线 对比 比较 统计 变量 历史',
  exports: 'exports downloads csv excel xlsx files 导出 下载 表格 文件',
  reports: 'reports scheduled daily weekly monthly pdf 报表 报告 定时 日报 周报 月报',
  retention: 'retention storage keep delete days history how long 保留 存储 期限 时长 清理 数据保存',
  messages: 'messages inbox requests unread 消息 收件箱 申请 未读 通知',
  projects:
    'projects integration webhook mqtt mes erp push pull data out destinations 项目 对接 推送 数据去向 上报 集成 接口',
  maintenance:
    'maintenance approval access windows requests enterprise service 维护 审批 授权 维护窗口 企业申请 运维',
  profile: 'profile account name phone e-mail email delete account 个人 资料 姓名 手机 邮箱 账号 注销账号',
  security:
    'security sign-in login two factor two-factor 2fa mfa authenticator recovery codes password activity log 安全 登录 两步验证 双重验证 二次验证 动态码 恢复码 找回密码 登录记录',
  sessions:
    'sessions safety centre center terminals browsers devices signed in sign out everywhere 会话 安全中心 终端 在线终端 登录设备 下线 踢出',
  friends: 'friends contacts colleagues people share 好友 联系人 同事 共享',
  appearance:
    'appearance theme dark light night mode language chinese english time zone timezone region csv separator decimal 外观 主题 深色 浅色 暗色 夜间 语言 中文 英文 时区 地区 分隔符 小数',
  password: 'password change forgot reset recover 修改密码 忘记密码 重置密码 找回密码',
  email: 'e-mail email mail address change 邮箱 邮件地址 修改 更换',
  phone: 'phone mobile number change 手机 手机号 电话 修改 更换',
  deviceCode: 'app program code sign in command line 程序 代码 登录 命令行 授权码',
  apiDoc: 'api reference calls developer rest integration 接口 文档 开发 调用 对接 集成',
  members: 'members people colleagues invite roles permissions staff 成员 人员 同事 邀请 角色 权限 员工',
  teams: 'teams shifts maintenance team 团队 班组 维护组',
  groups: 'groups sites lines areas tree 分组 车间 产线 区域 厂区',
  enterprise: 'enterprise administration company organization organisation 企业 管理 公司 组织',
  enterpriseSettings:
    'settings name logo platform name time zone handover leave delete 设置 名称 标志 平台名称 时区 转让 退出 解散',
  maintained: 'maintained customers service devices 维护 客户 代维 运维 设备',
  enterpriseAudit: 'audit log history who changed members permissions 操作记录 审计 日志 权限变更',
  maintenanceWindows: 'maintenance windows access customers requests 维护窗口 客户 授权 申请',
  backOffice: 'back office operator admin 运营 后台 管理员',
} as const
