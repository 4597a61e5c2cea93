import type { Lang, Text } from './text.ts'

/** How a failure travels: `http` status, `hwcode` and `hwreason` of the envelope (decision 1), and its text. */
export interface ErrorKind {
  readonly http: number
  readonly hwcode: number
  readonly hwreason: string
  readonly text: Text
}

/**
 * Every error a person can meet, by its code. Nine-digit codes are the seed's and kept digit for digit
 * (decision 7); the short ones are the envelope's own.
 */
export const errors = {
  '113': {
    http: 401,
    hwcode: 113,
    hwreason: 'TOKEN_INVALID',
    text: {
      cn: '登录已失效（令牌过期），请重新登录。',
      en: 'Invalid token (Token expired), Please log in again.',
    },
  },
  '400': {
    http: 400,
    hwcode: 400,
    hwreason: 'BAD_REQUEST',
    text: { cn: '请求参数有误', en: 'The request is not valid' },
  },
  '403': {
    http: 403,
    hwcode: 403,
    hwreason: 'FORBIDDEN',
    text: { cn: '您没有操作权限', en: 'User does not have permission to operate' },
  },
  '404': { http: 404, hwcode: 404, hwreason: 'NOT_FOUND', text: { cn: '请求的内容不存在', en: 'Not found' } },
  '413': {
    http: 413,
    hwcode: 413,
    hwreason: 'TOO_LARGE',
    text: { cn: '内容超过允许的大小', en: 'The content is larger than allowed' },
  },
  '429': {
    http: 429,
    hwcode: 429,
    hwreason: 'TOO_MANY_REQUESTS',
    text: { cn: '操作过于频繁，请稍后再试', en: 'Too many requests, please try again later' },
  },
  '500': {
    http: 500,
    hwcode: 500,
    hwreason: 'SERVER_ERROR',
    text: { cn: '服务器内部错误', en: 'Server-api Error' },
  },
  '503': {
    http: 503,
    hwcode: 503,
    hwreason: 'UNAVAILABLE',
    text: { cn: '服务暂不可用，请稍后再试', en: 'The service is not available, please try again' },
  },
  TOO_MANY_FIELDS: {
    http: 413,
    hwcode: 413,
    hwreason: 'TOO_MANY_FIELDS',
    text: {
      cn: '请求中的字段或数值过多，或嵌套过深',
      en: 'The request has too many fields or values, or too many levels',
    },
  },
  TOO_MUCH_AT_ONCE: {
    http: 429,
    hwcode: 429,
    hwreason: 'TOO_MUCH_AT_ONCE',
    text: {
      cn: '当前网络地址正在上传的数据过多，请稍后再试',
      en: 'Too much is being sent from your network address at once, please try again in a moment',
    },
  },
  '505': {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_ERROR',
    text: { cn: '设备密码错误', en: 'The machine password is wrong' },
  },
  '07010109': {
    http: 200,
    hwcode: 420,
    hwreason: 'LOGIN_FAILED',
    text: { cn: '账号不存在或密码错误', en: 'No such account, or the password is wrong' },
  },
  '07010110': {
    http: 200,
    hwcode: 420,
    hwreason: 'LOGIN_LOCKED',
    text: {
      cn: '失败次数过多，账号已锁定，请稍后再试',
      en: 'Too many failures: the account is locked for a while',
    },
  },
  '07010111': {
    http: 200,
    hwcode: 420,
    hwreason: 'LOGIN_CODE_NEEDED',
    text: { cn: '请输入验证码以完成登录', en: 'A code is needed to sign in' },
  },
  '07010112': {
    http: 200,
    hwcode: 420,
    hwreason: 'LOGIN_CODE_WRONG',
    text: { cn: '验证码错误或已失效', en: 'The code is wrong or no longer valid' },
  },
  ACCOUNT_LOCKED: {
    http: 200,
    hwcode: 420,
    hwreason: 'ACCOUNT_LOCKED',
    text: {
      cn: '账号已被平台管理员锁定，请联系管理员',
      en: 'The operator of the platform has locked this account: please ask them',
    },
  },
  TWO_FACTOR_ON: {
    http: 200,
    hwcode: 420,
    hwreason: 'TWO_FACTOR_ON',
    text: { cn: '两步验证已开启', en: 'The second factor is on already' },
  },
  TWO_FACTOR_OFF: {
    http: 200,
    hwcode: 420,
    hwreason: 'TWO_FACTOR_OFF',
    text: { cn: '两步验证未开启', en: 'The second factor is not on' },
  },
  OPERATOR_FACTOR_NEEDED: {
    http: 403,
    hwcode: 403,
    hwreason: 'OPERATOR_FACTOR_NEEDED',
    text: {
      cn: '进入后台需要两步验证：请先在安全中心开启',
      en: 'The back office needs a second factor: turn it on in the safety centre first',
    },
  },
  QR_OVER: {
    http: 200,
    hwcode: 420,
    hwreason: 'QR_OVER',
    text: {
      cn: '二维码已失效或已被使用，请刷新后重试',
      en: 'This QR code has run out or was used: show a new one',
    },
  },
  FRIEND_SELF: {
    http: 200,
    hwcode: 420,
    hwreason: 'FRIEND_SELF',
    text: { cn: '不能添加自己', en: 'This is your own account' },
  },
  FRIENDS_FULL: {
    http: 200,
    hwcode: 420,
    hwreason: 'FRIENDS_FULL',
    text: { cn: '好友已达上限（1000 人）', en: 'Your list of friends is full (1,000 people)' },
  },
  '04010112': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_ALREADY_ADDED',
    text: { cn: '该设备已在您的列表中', en: 'This machine is already in your list' },
  },
  '04010102': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_NOT_FOUND',
    text: { cn: '设备不存在，请核对机器码', en: 'No machine has this code' },
  },
  '04010113': {
    http: 200,
    hwcode: 420,
    hwreason: 'GROUP_NOT_FOUND',
    text: { cn: '分组不存在', en: 'The group does not exist' },
  },
  '04010114': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_PASSWORD_LOCKED',
    text: {
      cn: '设备密码错误次数过多，请一小时后再试',
      en: 'Too many wrong machine passwords: try again in an hour',
    },
  },
  '04010115': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_LIST_FULL',
    text: {
      cn: '设备列表已满（最多 5000 台），请先移除不用的设备',
      en: 'Your list is full (5,000 machines): remove one you do not need first',
    },
  },
  BLACKLIST: {
    http: 200,
    hwcode: 203,
    hwreason: 'BLACKLIST',
    text: { cn: '您已被该设备列入黑名单', en: 'You are on this machine’s blacklist' },
  },
  PERSON_BLACKLISTED: {
    http: 200,
    hwcode: 420,
    hwreason: 'PERSON_BLACKLISTED',
    text: {
      cn: '此人在这台设备的黑名单中，请先移出黑名单',
      en: 'This person is on the blacklist of this machine: take them off it first',
    },
  },
  ADMINISTRATOR: {
    http: 200,
    hwcode: 203,
    hwreason: 'ADMINISTRATOR',
    text: { cn: '您已是该设备的管理员，无需申请', en: 'You are a key holder of this machine already' },
  },
  GENERAL_USER: {
    http: 200,
    hwcode: 203,
    hwreason: 'GENERAL_USER',
    text: {
      cn: '您还没有进入该设备的权限，请联系设备的管理员',
      en: 'You have no right to enter this machine yet: ask its key holders',
    },
  },
  WRONG_ROLE: {
    http: 200,
    hwcode: 203,
    hwreason: 'WRONG_ROLE',
    text: {
      cn: '您对该设备的角色已变更，请刷新后重试',
      en: 'Your role on this machine is not what it was: reload and try again',
    },
  },
  CLOUD_EXPIRED: {
    http: 200,
    hwcode: 416,
    hwreason: 'CLOUD_EXPIRED',
    text: {
      cn: '设备的云服务已关闭，或不在运维时间内',
      en: 'The cloud service of this machine is closed, or its maintenance window is not open',
    },
  },
  ClOUD_VISIT_TIMEOUT: {
    http: 200,
    hwcode: 504,
    hwreason: 'ClOUD_VISIT_TIMEOUT',
    text: { cn: '设备未在规定时间内响应', en: 'The machine did not answer in time' },
  },
  REST_TIME_OUT: {
    http: 200,
    hwcode: 507,
    hwreason: 'REST_TIME_OUT',
    text: { cn: '您的访问时间已结束', en: 'Your visit time is over' },
  },
  VISITS_OFF: {
    http: 200,
    hwcode: 420,
    hwreason: 'VISITS_OFF',
    text: {
      cn: '当前地址不能进入设备：请使用域名打开平台，并由管理员设置 VISIT_HOST',
      en: 'Machines cannot be entered from this address: open the platform by its name, and have VISIT_HOST set',
    },
  },
  TARGET_UNKNOWN: {
    http: 200,
    hwcode: 420,
    hwreason: 'TARGET_UNKNOWN',
    text: { cn: '设备没有这个页面', en: 'The machine has no such page' },
  },
  TARGET_NOT_READ_ONLY: {
    http: 200,
    hwcode: 420,
    hwreason: 'TARGET_NOT_READ_ONLY',
    text: {
      cn: '您只有只读权限，而此页面无法限制为只读',
      en: 'You may only watch, and this page cannot be kept from changing things',
    },
  },
  CONTROL_TAKEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'CONTROL_TAKEN',
    text: { cn: '控制权在他人手中', en: 'Somebody else is in control of this machine' },
  },
  READ_ONLY: {
    http: 200,
    hwcode: 420,
    hwreason: 'READ_ONLY',
    text: { cn: '您对该设备只有只读权限', en: 'You may only watch this machine' },
  },
  GIVER_READ_ONLY: {
    http: 200,
    hwcode: 420,
    hwreason: 'GIVER_READ_ONLY',
    text: {
      cn: '您对该设备只有只读权限，不能授予读写权限、解除限制或修改设置',
      en: 'You may only watch this machine: you cannot let others change it, lift a restriction or change its settings',
    },
  },
  GIVER_WITHOUT_ALARMS: {
    http: 200,
    hwcode: 420,
    hwreason: 'GIVER_WITHOUT_ALARMS',
    text: {
      cn: '您未开通该设备的报警接收，不能为他人开通',
      en: 'This machine’s alarms are not sent to you: you cannot have them sent to others',
    },
  },
  GIVER_ENDS_EARLIER: {
    http: 200,
    hwcode: 420,
    hwreason: 'GIVER_ENDS_EARLIER',
    text: {
      cn: '您自己的访问时间更早结束，不能授予更长的时间',
      en: 'Your own right ends earlier: you cannot give a longer time',
    },
  },
  MACHINE_OFFLINE: {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_OFFLINE',
    text: { cn: '设备不在线，未写入', en: 'The machine is offline: nothing was written' },
  },
  TAG_READ_ONLY: {
    http: 200,
    hwcode: 420,
    hwreason: 'TAG_READ_ONLY',
    text: { cn: '该变量不可写', en: 'This value cannot be set' },
  },
  VALUE_TYPE: {
    http: 200,
    hwcode: 420,
    hwreason: 'VALUE_TYPE',
    text: { cn: '写入的值与变量类型不符', en: 'The value does not fit the kind of this tag' },
  },
  VALUE_RANGE: {
    http: 200,
    hwcode: 420,
    hwreason: 'VALUE_RANGE',
    text: { cn: '写入的值超出允许范围', en: 'The value is outside what this tag allows' },
  },
  VALUE_DIGITS: {
    http: 200,
    hwcode: 420,
    hwreason: 'VALUE_DIGITS',
    text: {
      cn: '写入的值位数超出变量精度，系统不会自动取舍，未写入',
      en: 'The value has more digits than this tag: it is not rounded, and nothing was written',
    },
  },
  WRITE_UNSUPPORTED: {
    http: 200,
    hwcode: 420,
    hwreason: 'WRITE_UNSUPPORTED',
    text: { cn: '设备不接受写入', en: 'The machine takes no writes' },
  },
  PROOF_NEEDED: {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_NOT_PROVED',
    text: { cn: '请先验证登录密码', en: 'Please confirm your password first' },
  },
  PASSWORD_WRONG: {
    http: 200,
    hwcode: 505,
    hwreason: 'PASSWORD_ERROR',
    text: { cn: '登录密码错误', en: 'Your password is wrong' },
  },
  '01010304': {
    http: 200,
    hwcode: 420,
    hwreason: 'USER_NOT_FOUND',
    text: { cn: '用户不存在', en: 'There is no such user' },
  },
  '01010305': {
    http: 200,
    hwcode: 420,
    hwreason: 'ALREADY_HOLDS',
    text: { cn: '该用户已拥有此权限', en: 'This user has that right already' },
  },
  '01010306': {
    http: 200,
    hwcode: 420,
    hwreason: 'AKEY_ONLY',
    text: { cn: '需要 A 钥匙持有人操作', en: 'Only the Akey can do this' },
  },
  '01010307': {
    http: 200,
    hwcode: 420,
    hwreason: 'USER_LIST_FULL',
    text: {
      cn: '该用户的设备列表已满（最多 5000 台）',
      en: 'This user’s machine list is full (5,000 machines)',
    },
  },
  '01010408': {
    http: 200,
    hwcode: 420,
    hwreason: 'VISIT_TIME_OVER',
    text: { cn: '访问时间早已结束', en: 'The visit time was over already' },
  },
  PICTURE_INVALID: {
    http: 200,
    hwcode: 420,
    hwreason: 'PICTURE_INVALID',
    text: {
      cn: '图片无法使用：请上传 SVG、PNG、JPEG 或 WebP，边长不超过 4096 像素',
      en: 'This picture cannot be used: take an SVG, PNG, JPEG or WebP of at most 4096 pixels a side',
    },
  },
  PICTURE_KIND: {
    http: 200,
    hwcode: 420,
    hwreason: 'PICTURE_KIND',
    text: {
      cn: '此处只能用照片类图片：PNG、JPEG 或 WebP',
      en: 'A PNG, JPEG or WebP is needed here',
    },
  },
  MACHINE_TYPE_TAKEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_TYPE_TAKEN',
    text: { cn: '已有使用此标识的设备类型', en: 'Another machine type has this identifier already' },
  },
  MACHINE_TYPES_FULL: {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_TYPES_FULL',
    text: { cn: '设备类型已达上限（200 个）', en: 'There are as many machine types as there may be (200)' },
  },
  UPLOADS_FULL: {
    http: 200,
    hwcode: 420,
    hwreason: 'UPLOADS_FULL',
    text: {
      cn: '您上传的图片已达上限（200 张）',
      en: 'You have uploaded as many pictures as one may (200)',
    },
  },
  BRAND_HOST_TAKEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'BRAND_HOST_TAKEN',
    text: { cn: '该域名已属于另一个品牌', en: 'Another brand has this host already' },
  },
  BRAND_IS_DEFAULT: {
    http: 200,
    hwcode: 420,
    hwreason: 'BRAND_IS_DEFAULT',
    text: {
      cn: '默认品牌不能归档，请先把另一个品牌设为默认',
      en: 'The default brand cannot be archived: make another one the default first',
    },
  },
  BRAND_IS_ARCHIVED: {
    http: 200,
    hwcode: 420,
    hwreason: 'BRAND_IS_ARCHIVED',
    text: {
      cn: '已归档的品牌不能设为默认，请先恢复',
      en: 'An archived brand cannot be the default: take it back into use first',
    },
  },
  ACCENT_UNREADABLE: {
    http: 200,
    hwcode: 420,
    hwreason: 'ACCENT_UNREADABLE',
    text: {
      cn: '该主色与背景的对比度不足 4.5:1，请换一种颜色',
      en: 'This accent stays under a contrast of 4.5:1: choose another colour',
    },
  },
  VISIT_DOMAIN_UNFIT: {
    http: 200,
    hwcode: 420,
    hwreason: 'VISIT_DOMAIN_UNFIT',
    text: {
      cn: '设备页面域名与控制台域名必须是不同的注册域名，且互不包含',
      en: 'A visit domain and a console’s host must lie on different registrable domains, neither within the other',
    },
  },
  PICTURE_UNKNOWN: {
    http: 200,
    hwcode: 420,
    hwreason: 'PICTURE_UNKNOWN',
    text: { cn: '图片不存在，请重新上传', en: 'There is no such picture: upload it again' },
  },
  '12010201': {
    http: 200,
    hwcode: 420,
    hwreason: 'OWN_ACCOUNT',
    text: {
      cn: '不能锁定自己，也不能取消自己的运营者身份',
      en: 'You cannot lock yourself or stop being an operator: another operator can',
    },
  },
  '12010301': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_OWNED',
    text: {
      cn: '设备已有所有者，只有其 A 钥匙持有人可以更换密码和密钥',
      en: 'The machine has an owner: only its Akey can renew its password and secret',
    },
  },
  '12010302': {
    http: 200,
    hwcode: 420,
    hwreason: 'IMPORT_TOO_LONG',
    text: { cn: '一次最多导入 200 行', en: 'At most 200 lines at a time' },
  },
  '12010401': {
    http: 200,
    hwcode: 420,
    hwreason: 'ALREADY_ANSWERED',
    text: { cn: '该申请已被答复', en: 'This request has been answered already' },
  },
  CODE_TOO_OFTEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'CODE_TOO_OFTEN',
    text: {
      cn: '验证码发送过于频繁，请稍后再试',
      en: 'Too many codes were asked for: try again later',
    },
  },
  CODE_CLOSED: {
    http: 200,
    hwcode: 420,
    hwreason: 'CODE_CLOSED',
    text: {
      cn: '验证码错误次数过多，该账号的验证码已停用，请明天再试',
      en: 'Too many wrong codes: no more are taken for this account today',
    },
  },
  CODE_WRONG: {
    http: 200,
    hwcode: 420,
    hwreason: 'CODE_WRONG',
    text: { cn: '验证码错误或已过期', en: 'The code is wrong or has expired' },
  },
  TICKET_NEEDED: {
    http: 200,
    hwcode: 420,
    hwreason: 'TICKET_NEEDED',
    text: { cn: '验证已失效，请重新获取验证码', en: 'Please verify the account with a code again' },
  },
  ACCOUNT_TAKEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'ACCOUNT_TAKEN',
    text: { cn: '该手机号或邮箱已被注册', en: 'This phone or e-mail has an account already' },
  },
  ACCOUNT_SAME: {
    http: 200,
    hwcode: 420,
    hwreason: 'ACCOUNT_SAME',
    text: { cn: '新账号与当前账号相同', en: 'This is your phone or e-mail already' },
  },
  PASSWORD_COMMON: {
    http: 200,
    hwcode: 420,
    hwreason: 'PASSWORD_COMMON',
    text: {
      cn: '该密码过于常见，请换一个',
      en: 'This is one of the most common passwords: choose another',
    },
  },
  ENTERPRISES_FULL: {
    http: 200,
    hwcode: 420,
    hwreason: 'ENTERPRISES_FULL',
    text: { cn: '您拥有的企业已达上限（20 家）', en: 'You own as many enterprises as one may (20)' },
  },
  ENTERPRISES_BY_OPERATORS: {
    http: 200,
    hwcode: 420,
    hwreason: 'ENTERPRISES_BY_OPERATORS',
    text: {
      cn: '企业由平台管理员创建，请联系管理员',
      en: 'Enterprises are made by the operator here: ask them',
    },
  },
  ALREADY_MEMBER: {
    http: 200,
    hwcode: 420,
    hwreason: 'ALREADY_MEMBER',
    text: { cn: '该用户已是企业成员', en: 'This user is a member already' },
  },
  ALREADY_INVITED: {
    http: 200,
    hwcode: 420,
    hwreason: 'ALREADY_INVITED',
    text: { cn: '已邀请该用户，等待对方接受', en: 'This user is invited already and has not answered yet' },
  },
  MEMBERS_FULL: {
    http: 200,
    hwcode: 420,
    hwreason: 'MEMBERS_FULL',
    text: { cn: '企业成员已达上限（10000 人）', en: 'The enterprise has as many members as it may (10,000)' },
  },
  OWNER_ONLY: {
    http: 200,
    hwcode: 420,
    hwreason: 'OWNER_ONLY',
    text: { cn: '只有企业所有者可以这样做', en: 'Only an owner of the enterprise can do this' },
  },
  ACCOUNT_LAST_OWNER: {
    http: 200,
    hwcode: 420,
    hwreason: 'ACCOUNT_LAST_OWNER',
    text: {
      cn: '您是企业的唯一所有者，请先指定另一位所有者或注销该企业',
      en: 'You are the last owner of an enterprise: make somebody else an owner, or delete the enterprise first',
    },
  },
  ACCOUNT_MACHINES_HELD: {
    http: 200,
    hwcode: 420,
    hwreason: 'ACCOUNT_MACHINES_HELD',
    text: {
      cn: '仍有他人持有您设备的权限，请先解除他们的权限，或转让设备',
      en: 'Others hold rights to a machine of yours: release them first, or transfer the machine',
    },
  },
  ACCOUNT_TRANSFER_OPEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'ACCOUNT_TRANSFER_OPEN',
    text: {
      cn: '您有待确认的设备转让，请先处理或撤回',
      en: 'A transfer of a machine by you or to you is open: answer it or take it back first',
    },
  },
  LAST_OWNER: {
    http: 200,
    hwcode: 420,
    hwreason: 'LAST_OWNER',
    text: { cn: '企业至少要有一位所有者', en: 'An enterprise keeps at least one owner' },
  },
  INVITATION_GONE: {
    http: 200,
    hwcode: 420,
    hwreason: 'INVITATION_GONE',
    text: { cn: '邀请已处理或已撤回', en: 'This invitation was answered or withdrawn already' },
  },
  GROUP_NAME_TAKEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'GROUP_NAME_TAKEN',
    text: { cn: '已有同名分组', en: 'There is a group of this name already' },
  },
  GROUPS_FULL: {
    http: 200,
    hwcode: 420,
    hwreason: 'GROUPS_FULL',
    text: { cn: '分组已达上限（200 个）', en: 'There are as many groups as there may be (200)' },
  },
  GROUP_NOT_EMPTY: {
    http: 200,
    hwcode: 420,
    hwreason: 'GROUP_NOT_EMPTY',
    text: { cn: '分组内还有设备，请先移出设备', en: 'The group still holds devices: move them first' },
  },
  TEAM_NAME_TAKEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'TEAM_NAME_TAKEN',
    text: { cn: '已有同名团队', en: 'There is a team of this name already' },
  },
  TEAM_FOREIGN: {
    http: 200,
    hwcode: 420,
    hwreason: 'TEAM_FOREIGN',
    text: { cn: '所选人员或设备不属于本企业', en: 'Somebody or something chosen is not of this enterprise' },
  },
  TEAMS_FULL: {
    http: 200,
    hwcode: 420,
    hwreason: 'TEAMS_FULL',
    text: { cn: '团队已达上限（200 个）', en: 'There are as many teams as there may be (200)' },
  },
  MACHINE_OWNED: {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_OWNED',
    text: {
      cn: '该设备已属于个人或其他企业',
      en: 'This machine belongs to a person or another enterprise already',
    },
  },
  MACHINE_HELD: {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_HELD',
    text: {
      cn: '仍有人持有此设备的权限，请先解除或转让',
      en: 'Others still hold rights to this machine: release them first, or transfer it',
    },
  },
  WINDOW_INVALID: {
    http: 200,
    hwcode: 420,
    hwreason: 'WINDOW_INVALID',
    text: {
      cn: '运维时间无效：结束须晚于开始且在将来，最长 366 天',
      en: 'The window must end after it starts, in the future, and last 366 days at most',
    },
  },
  MAINTENANCE_UNOWNED: {
    http: 200,
    hwcode: 420,
    hwreason: 'MAINTENANCE_UNOWNED',
    text: { cn: '该设备没有所有者，无人可以同意', en: 'Nobody owns this machine, so nobody can consent' },
  },
  MAINTENANCE_OWN: {
    http: 200,
    hwcode: 420,
    hwreason: 'MAINTENANCE_OWN',
    text: {
      cn: '这是本企业自己的设备，无需申请',
      en: 'This is your own enterprise’s device: nothing to ask for',
    },
  },
  MAINTENANCE_FULL: {
    http: 200,
    hwcode: 420,
    hwreason: 'MAINTENANCE_FULL',
    text: {
      cn: '等待同意的申请过多（100 个），请先等待处理',
      en: 'Too many requests wait for consent (100): let them be answered first',
    },
  },
  MAINTENANCE_STATE: {
    http: 200,
    hwcode: 420,
    hwreason: 'MAINTENANCE_STATE',
    text: { cn: '该运维窗口的状态已变化，请刷新', en: 'This window has changed meanwhile: reload' },
  },
  MACHINE_UNOWNED: {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_UNOWNED',
    text: {
      cn: '该设备没有所有者，请用设备密码添加',
      en: 'Nobody owns this machine: add it with its password instead',
    },
  },
  BIND_TOO_OFTEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'BIND_TOO_OFTEN',
    text: { cn: '绑定申请过于频繁，请稍后再试', en: 'You asked to bind a moment ago: please wait a little' },
  },
  VISIT_TOO_OFTEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'VISIT_TOO_OFTEN',
    text: { cn: '访问申请过于频繁，请稍后再试', en: 'You asked to visit a moment ago: please wait a little' },
  },
  APPLICATION_GONE: {
    http: 200,
    hwcode: 420,
    hwreason: 'APPLICATION_GONE',
    text: { cn: '该申请已不存在或已结束', en: 'This application is over or was never there' },
  },
  PASSWORD_MODE_OFF: {
    http: 200,
    hwcode: 420,
    hwreason: 'PASSWORD_MODE_OFF',
    text: {
      cn: '该设备不使用密码审核，请提交申请',
      en: 'This machine’s password lets nobody in: apply instead',
    },
  },
  '04010301': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_HELD_BY_OTHERS',
    text: {
      cn: '仍有他人持有该设备的权限，请先解除他们的权限，或转让设备',
      en: 'Others still hold rights to this machine: release them first, or transfer it',
    },
  },
  '04010307': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_NOT_LISTED',
    text: { cn: '设备已不在您的列表中', en: 'The machine is not in your list any more' },
  },
  '040103010': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_GONE',
    text: { cn: '设备已被移除', en: 'The machine was removed already' },
  },
  '040104011': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_NAME_SPECIAL',
    text: {
      cn: '设备名称不能包含 < > " \' \\ ` 和控制字符',
      en: 'A machine’s name cannot contain < > " \' \\ ` or control characters',
    },
  },
  '04010406': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_REMARK_SPECIAL',
    text: {
      cn: '设备备注不能包含 < > " \' \\ ` 和控制字符',
      en: 'A machine’s remark cannot contain < > " \' \\ ` or control characters',
    },
  },
  '04010412': {
    http: 200,
    hwcode: 420,
    hwreason: 'MACHINE_NAME_TAKEN',
    text: { cn: '列表中已有同名设备', en: 'A machine of this name is in your list already' },
  },
  ENTERPRISE_UNKNOWN: {
    http: 200,
    hwcode: 420,
    hwreason: 'ENTERPRISE_UNKNOWN',
    text: { cn: '没有这个企业，请核对企业编号', en: 'There is no such enterprise: check its number' },
  },
  TRANSFER_SELF: {
    http: 200,
    hwcode: 420,
    hwreason: 'TRANSFER_SELF',
    text: { cn: '设备已归您所有', en: 'The machine is yours already' },
  },
  TRANSFER_WAITING: {
    http: 200,
    hwcode: 420,
    hwreason: 'TRANSFER_WAITING',
    text: { cn: '该设备已有待确认的转让', en: 'A transfer of this machine waits to be accepted' },
  },
  HANDOVER_SELF: {
    http: 200,
    hwcode: 420,
    hwreason: 'HANDOVER_SELF',
    text: {
      cn: '设备不能移交给即将注销的企业自己',
      en: 'The devices cannot be handed to the enterprise that is to be deleted',
    },
  },
  HANDOVER_OPEN: {
    http: 200,
    hwcode: 420,
    hwreason: 'HANDOVER_OPEN',
    text: {
      cn: '该企业已有设备移交请求，请先撤回',
      en: 'This enterprise has asked somebody to take its devices already: take that back first',
    },
  },
  HANDOVER_GONE: {
    http: 200,
    hwcode: 420,
    hwreason: 'HANDOVER_GONE',
    text: {
      cn: '该设备移交请求已不存在或已结束',
      en: 'This request to take devices is over or was never there',
    },
  },
  HANDOVER_NOT_ACCEPTED: {
    http: 200,
    hwcode: 420,
    hwreason: 'HANDOVER_NOT_ACCEPTED',
    text: {
      cn: '对方尚未同意接收企业设备，或已无法接收',
      en: 'They have not accepted to take the enterprise’s devices, or no longer can',
    },
  },
  TRANSFER_GONE: {
    http: 200,
    hwcode: 420,
    hwreason: 'TRANSFER_GONE',
    text: { cn: '该转让已不存在或已结束', en: 'This transfer is over or was never there' },
  },
  QUERY_TOO_LARGE: {
    http: 200,
    hwcode: 420,
    hwreason: 'QUERY_TOO_LARGE',
    text: {
      cn: '查询的数据量过大，请缩短时间范围或减少查询对象',
      en: 'This asks for too much data at once: choose a shorter time, or less at a time',
    },
  },
  SPAN_INVALID: {
    http: 200,
    hwcode: 420,
    hwreason: 'SPAN_INVALID',
    text: {
      cn: '时间范围无效：结束须晚于开始，最长 366 天',
      en: 'The span must end after it starts and last 366 days at most',
    },
  },
  DEVICE_CODE_OVER: {
    http: 200,
    hwcode: 420,
    hwreason: 'DEVICE_CODE_OVER',
    text: { cn: '该登录码无效或已过期', en: 'This code is not known or has run out' },
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errors

/** The text of an error code in a language, or nothing for a code this version does not know. */
export function errorText(code: string, lang: Lang): string | undefined {
  return Object.hasOwn(errors, code) ? errors[code as ErrorCode].text[lang] : undefined
}
