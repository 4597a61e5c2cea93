import { refusals } from './error-kind.ts'

/** Enterprises, their members, groups, teams and maintenance. */
export const enterpriseErrors = {
  ...refusals({
    ENTERPRISES_FULL: {
      cn: '您拥有的企业已达上限（20 家）',
      en: 'You own as many enterprises as one may (20)',
    },
    ENTERPRISES_BY_OPERATORS: {
      cn: '企业由平台管理员创建，请联系管理员',
      en: 'Enterprises are made by the operator here: ask them',
    },
    ALREADY_MEMBER: { cn: '该用户已是企业成员', en: 'This user is a member already' },
    ALREADY_INVITED: {
      cn: '已邀请该用户，等待对方接受',
      en: 'This user is invited already and has not answered yet',
    },
    MEMBERS_FULL: {
      cn: '企业成员已达上限（10000 人）',
      en: 'The enterprise has as many members as it may (10,000)',
    },
    OWNER_ONLY: { cn: '只有企业所有者可以这样做', en: 'Only an owner of the enterprise can do this' },
    LAST_OWNER: { cn: '企业至少要有一位所有者', en: 'An enterprise keeps at least one owner' },
    INVITATION_GONE: { cn: '邀请已处理或已撤回', en: 'This invitation was answered or withdrawn already' },
    GROUP_NAME_TAKEN: { cn: '已有同名分组', en: 'There is a group of this name already' },
    GROUPS_FULL: { cn: '分组已达上限（200 个）', en: 'There are as many groups as there may be (200)' },
    GROUP_NOT_EMPTY: {
      cn: '分组内还有设备，请先移出设备',
      en: 'The group still holds devices: move them first',
    },
    TEAM_NAME_TAKEN: { cn: '已有同名团队', en: 'There is a team of this name already' },
    TEAM_FOREIGN: {
      cn: '所选人员或设备不属于本企业',
      en: 'Somebody or something chosen is not of this enterprise',
    },
    TEAMS_FULL: { cn: '团队已达上限（200 个）', en: 'There are as many teams as there may be (200)' },
    WINDOW_INVALID: {
      cn: '运维时间无效：结束须晚于开始且在将来，最长 366 天',
      en: 'The window must end after it starts, in the future, and last 366 days at most',
    },
    MAINTENANCE_UNOWNED: {
      cn: '该设备没有所有者，无人可以同意',
      en: 'Nobody owns this device, so nobody can consent',
    },
    MAINTENANCE_OWN: {
      cn: '这是本企业自己的设备，无需申请',
      en: 'This is your own enterprise’s device: nothing to ask for',
    },
    MAINTENANCE_FULL: {
      cn: '等待同意的申请过多（100 个），请先等待处理',
      en: 'Too many requests wait for consent (100): let them be answered first',
    },
    MAINTENANCE_STATE: {
      cn: '该运维窗口的状态已变化，请刷新',
      en: 'This window has changed meanwhile: reload',
    },
    ENTERPRISE_UNKNOWN: {
      cn: '没有这个企业，请核对企业编号',
      en: 'There is no such enterprise: check its number',
    },
    HANDOVER_SELF: {
      cn: '设备不能移交给即将注销的企业自己',
      en: 'The devices cannot be handed to the enterprise that is to be deleted',
    },
    HANDOVER_OPEN: {
      cn: '该企业已有设备移交请求，请先撤回',
      en: 'This enterprise has asked somebody to take its devices already: take that back first',
    },
    HANDOVER_GONE: {
      cn: '该设备移交请求已不存在或已结束',
      en: 'This request to take devices is over or was never there',
    },
    HANDOVER_NOT_ACCEPTED: {
      cn: '对方尚未同意接收企业设备，或已无法接收',
      en: 'They have not accepted to take the enterprise’s devices, or no longer can',
    },
  }),
}
