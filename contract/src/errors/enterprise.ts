import { refusals } from './error-kind.ts'

/** Enterprises, their members, groups, teams and maintenance. */
export const enterpriseErrors = {
  ...refusals({
    ENTERPRISES_FULL: {
      cn: '您拥有的企业已达上限（20 家）',
      en: 'You’ve reached the limit of 20 enterprises',
    },
    ENTERPRISES_BY_OPERATORS: {
      cn: '企业由平台管理员创建，请联系管理员',
      en: 'Only the platform operator can create enterprises. Contact the operator.',
    },
    ALREADY_MEMBER: { cn: '该用户已是企业成员', en: 'This user is already a member' },
    ALREADY_INVITED: {
      cn: '已邀请该用户，等待对方接受',
      en: 'This user already has an invitation',
    },
    MEMBERS_FULL: {
      cn: '企业成员已达上限（10000 人）',
      en: 'The enterprise has reached the limit of 10,000 members',
    },
    OWNER_ONLY: { cn: '仅企业所有者可以操作', en: 'Only an owner of the enterprise can do this' },
    LAST_OWNER: { cn: '企业至少要有一位所有者', en: 'An enterprise needs at least one owner' },
    INVITATION_GONE: { cn: '邀请已处理或已撤回', en: 'This invitation was already answered or withdrawn' },
    GROUP_NAME_TAKEN: { cn: '已有同名分组', en: 'A group with this name already exists' },
    GROUPS_FULL: { cn: '分组已达上限（200 个）', en: 'The limit of 200 groups is reached' },
    GROUP_NOT_EMPTY: {
      cn: '分组内还有设备，请先移出设备',
      en: 'The group contains devices. Remove them from the group first.',
    },
    TEAM_NAME_TAKEN: { cn: '已有同名团队', en: 'A team with this name already exists' },
    TEAM_FOREIGN: {
      cn: '所选人员或设备不属于本企业',
      en: 'A selected person or device doesn’t belong to this enterprise',
    },
    TEAMS_FULL: { cn: '团队已达上限（200 个）', en: 'The limit of 200 teams is reached' },
    WINDOW_INVALID: {
      cn: '维保时段无效：结束时间须晚于开始时间和当前时间，最长 366 天',
      en: 'The maintenance window must end after it starts and after now; the maximum is 366 days',
    },
    CONTRACT_SCOPES: {
      cn: '无结束时间的服务合同只能包含“查看”和“报警”；控制需申请有结束时间的维保时段',
      en: 'A service contract without an end can include only View and Alarms. Request a window with an end for Control.',
    },
    MAINTENANCE_UNOWNED: {
      cn: '该设备没有所有者，无法同意申请',
      en: 'This device has no owner who could approve',
    },
    MAINTENANCE_OWN: {
      cn: '这是本企业自己的设备，无需申请',
      en: 'Your enterprise owns this device. No request is needed.',
    },
    MAINTENANCE_FULL: {
      cn: '待同意的申请过多（100 个），请等待处理',
      en: 'Too many requests are pending (100). Wait for answers first.',
    },
    MAINTENANCE_STATE: {
      cn: '该维保时段的状态已变更，请刷新',
      en: 'The maintenance window has changed. Reload the page.',
    },
    ENTERPRISE_UNKNOWN: {
      cn: '企业不存在，请核对企业编号',
      en: 'Enterprise not found. Check the enterprise number.',
    },
    HANDOVER_SELF: {
      cn: '设备不能移交给即将注销的企业本身',
      en: 'The devices can’t be handed over to the enterprise that is being deleted',
    },
    HANDOVER_OPEN: {
      cn: '该企业已有设备移交请求，请先撤回',
      en: 'A hand-over request for this enterprise is already pending. Withdraw it first.',
    },
    HANDOVER_GONE: {
      cn: '该设备移交请求已不存在或已结束',
      en: 'This hand-over request doesn’t exist or has ended',
    },
    HANDOVER_NOT_ACCEPTED: {
      cn: '对方尚未同意接收企业设备，或已无法接收',
      en: 'The receiver hasn’t accepted the enterprise’s devices, or can no longer accept them',
    },
  }),
}
