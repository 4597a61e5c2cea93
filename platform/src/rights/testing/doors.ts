import {
  access,
  accounts,
  brands,
  codes,
  enterprises,
  health,
  ingest,
  type MemberRight,
  machines,
  messages,
  operator,
  type RequestOf,
  type Route,
  registration,
  scada,
  telemetry,
  visits,
} from '@busbar/contract'

/** What the spec says a call needs; written down here a second time, so that a `who` changed by mistake is found. */
export type Needs =
  | 'public'
  | 'user'
  | 'operator'
  | 'machine'
  | 'listed'
  | 'visitor+'
  | 'bkey+'
  | 'akey'
  | 'ent'
  | `ent:${MemberRight | 'admin'}`

/** What an id in a request names. */
export type Kind =
  | 'machine'
  | 'code'
  | 'grant'
  | 'tag'
  | 'tags'
  | 'window'
  | 'eid'
  | 'group'
  | 'team'
  | 'member'
  | 'members'
  | 'invitationSent'
  | 'invitation'
  | 'friend'
  | 'session'
  | 'visit'
  | 'machines'
  | 'codes'
  /** Left out where one's own is asked for: what it names is compared or limited further on. */
  | 'claimedGrant'
  | 'claimedTeam'

/** One route, what it needs, and a request to it that passes the checks and does as little as can be. */
export interface Door {
  readonly route: Route
  readonly needs: Needs
  readonly ids: Readonly<Record<string, Kind>>
  readonly rest: Readonly<Record<string, unknown>>
}

function door<R extends Route>(
  route: R,
  needs: Needs,
  ids: Partial<Record<keyof RequestOf<R> & string, Kind>> = {},
  rest: Partial<RequestOf<R>> = {},
): Door {
  return { route, needs, ids: ids as Record<string, Kind>, rest: rest as Record<string, unknown> }
}

export const missing = { id: 999_999_999, code: '9'.repeat(19) }
const nobody = { account: 'nobody@example.test' }
const terminal = { terminalID: 'terminal' }
const inEnterprise = { eid: 'eid' } as const
const device = { eid: 'eid', deviceId: 'machine' } as const
const qrToken = `qr.${'a'.repeat(43)}`
const checked = { code: 'ABCD', purpose: 'login' } as const
const brand: RequestOf<typeof operator.createBrand> = {
  hosts: ['taken.example'],
  isDefault: false,
  platformName: { cn: '一', en: 'One' },
  logoUrl: '',
  logoDarkUrl: '',
  loginImageUrl: '',
  faviconUrl: '',
  // Too pale to be read: whoever is let in is told so, and nothing is made.
  accent: '#ffff00',
  emailSender: '',
  smsSignature: '',
  versions: {
    pc: { latest: '1.0.0', lowest: '1.0.0' },
    mobile: { latest: '1.0.0', lowest: '1.0.0' },
    tv: { latest: '1.0.0', lowest: '1.0.0' },
  },
  downloads: [],
  icp: '',
}

export const doors: readonly Door[] = [
  door(health.getHealth, 'public'),
  door(health.getReadiness, 'public'),
  door(health.getOpenApi, 'public'),
  door(ingest.ingestTelemetry, 'machine'),

  door(
    accounts.login,
    'public',
    {},
    { loginName: 'nobody@example.test', loginPwd: 'wrong', terminalUUID: 't' },
  ),
  door(accounts.logout, 'user'),
  door(accounts.selectInfo, 'user'),
  door(accounts.listTerminals, 'user'),
  door(accounts.removeTerminal, 'user', { id: 'session' }),
  door(accounts.removeOtherTerminals, 'user'),
  door(accounts.createPushTicket, 'user'),
  door(accounts.getPasswordProof, 'user'),
  door(accounts.provePassword, 'user', {}, { password: 'wrong' }),
  door(accounts.listFriends, 'user'),
  door(accounts.addFriend, 'user', {}, nobody),
  door(accounts.removeFriend, 'user', { id: 'friend' }),
  door(accounts.createQrToken, 'public', {}, { terminalUUID: 't' }),
  door(accounts.checkQrLogin, 'public', {}, { qrToken, terminalUUID: 't' }),
  door(accounts.scanQrLogin, 'user', {}, { qrToken }),
  door(accounts.confirmQrLogin, 'user', {}, { qrToken, ok: true }),
  door(accounts.updateSafety, 'user'),
  door(accounts.setHideMap, 'user', {}, { hideMap: false }),
  door(accounts.listOwnAudit, 'user'),
  door(accounts.setUpSecondFactor, 'user'),
  door(accounts.confirmSecondFactor, 'user', {}, { code: '123456' }),
  door(accounts.removeSecondFactor, 'user', {}, { code: '123456' }),

  door(codes.sendEmailCode, 'public', {}, { email: 'nobody@example.test', purpose: 'login' }),
  door(codes.sendPhoneCode, 'public', {}, { phone: '13812340000', purpose: 'login' }),
  door(codes.checkPhoneCode, 'public', {}, { phone: '13812340000', ...checked }),
  door(codes.checkEmailCode, 'public', {}, { email: 'nobody@example.test', ...checked }),
  door(codes.verifyEmail, 'public', {}, { email: 'nobody@example.test', ...checked }),
  door(codes.listCountryCodes, 'public'),

  door(
    registration.register,
    'public',
    {},
    { email: 'new@example.test', password: 'correct horse', name: 'New One' },
  ),
  door(
    registration.activateAccount,
    'public',
    {},
    { activeAccount: 'new@example.test', SMSVerificationCode: 'ABCD' },
  ),
  door(registration.changeLoginPassword, 'public', {}, { ...nobody, newPwd: 'correct horse' }),
  door(registration.resetPassword, 'public', {}, { email: 'nobody@example.test', password: 'correct horse' }),
  door(registration.updateAccount, 'user', {}, { email: 'other@example.test' }),
  door(registration.updateUserName, 'user', {}, { name: 'Same Name' }),
  door(registration.confirmAccount, 'public', {}, { email: 'nobody@example.test' }),
  door(registration.getUserId, 'user', {}, nobody),

  door(
    scada.registerScada,
    'public',
    {},
    {
      company: 'Foundry',
      phone: '13812340000',
      email: 'foundry@example.test',
      area: 'North',
      project: 'Line 1',
      purpose: 'run',
    },
  ),
  door(messages.getTotalUnread, 'user'),

  door(brands.getBrand, 'public'),
  door(brands.getLogo, 'public', {}, { eid: missing.id }),
  door(brands.getCustomInfo, 'ent', inEnterprise),
  door(brands.getVersions, 'public', {}, { client: 'pc' }),
  door(brands.createUpload, 'user', {}, { purpose: 'logo' }),
  door(brands.listIcons, 'public'),

  door(machines.listMachines, 'user'),
  door(
    machines.addMachine,
    'user',
    {},
    {
      machineName: 'Press',
      machineCode: missing.code,
      machineGroupID: missing.id,
    },
  ),
  door(machines.getMachineDetail, 'listed', { machineID: 'machine' }),
  // It exists to tell (decision 9).
  door(machines.getMachineState, 'user', {}, { machineCode: missing.code }),
  door(machines.listMachineStatesByCode, 'user', { machineCodes: 'codes' }),
  door(machines.listMachineStates, 'user', { machineIDs: 'machines' }),
  door(machines.setKeyTag, 'listed', { machineID: 'machine', tagId: 'tag' }),

  door(access.listGrants, 'bkey+', { machineID: 'machine' }, { infoType: 3 }),
  door(access.addBkey, 'bkey+', { machineID: 'machine' }, nobody),
  door(access.addVisitor, 'bkey+', { machineID: 'machine' }, { ...nobody, validTime: -1 }),
  door(access.updateLevel, 'bkey+', { id: 'grant' }, { limit: 0 }),
  door(access.endVisitTime, 'bkey+', { visitAlidTimeID: 'grant', machineID: 'machine' }),
  door(access.setVisitTime, 'bkey+', { visitTimeId: 'grant' }, { visitTime: -1 }),
  door(access.removeVisitTime, 'bkey+', { visitTimeId: 'grant' }),
  door(access.addToBlacklist, 'bkey+', { deviceId: 'machine' }, { userId: missing.id }),
  door(access.removeFromBlacklist, 'bkey+', { deviceId: 'machine' }, { userId: missing.id }),
  door(access.setReadOnly, 'bkey+', { machineID: 'machine' }, { userID: missing.id, limitRead: 1 }),
  door(access.setAlarmBit, 'bkey+', { machineID: 'machine' }, { userID: missing.id, limitAlarm: 1 }),
  door(access.setCloudService, 'akey', { machineID: 'machine' }),
  door(access.setMachinePassword, 'akey', { machineID: 'machine' }, { password: 'label-password' }),
  door(access.resetSecret, 'akey', { machineID: 'machine' }),
  door(access.updateMachineInfo, 'bkey+', { machineCode: 'code' }),
  door(access.listReach, 'bkey+', { id: 'machine' }),
  door(access.getRole, 'user', { deviceId: 'machine' }),

  door(telemetry.listTags, 'visitor+', { machineId: 'machine' }),
  door(telemetry.listLatest, 'visitor+', { machineId: 'machine' }),
  door(telemetry.getHistory, 'visitor+', { tagIds: 'tags' }, { from: 0, to: 60_000 }),
  door(telemetry.listRawMessages, 'bkey+', { machineId: 'machine' }),
  door(telemetry.writeTag, 'visitor+', { machineId: 'machine', tagId: 'tag' }, { value: 1 }),

  door(visits.checkVisit, 'user', { machineID: 'machine', visitAlidTimeID: 'claimedGrant' }, terminal),
  door(visits.openVisit, 'visitor+', { machineID: 'machine' }, terminal),
  door(visits.listTargets, 'visitor+', { machineId: 'machine' }),
  door(visits.testVisitUrl, 'user', {}, { testUrl: 'http://nowhere.example' }),
  door(visits.listVisits, 'user', { machineId: 'machine' }),
  door(visits.endVisit, 'user', { sessionId: 'visit' }),
  door(visits.extendVisit, 'user', { sessionId: 'visit' }),
  door(visits.controlVisit, 'user', { sessionId: 'visit', to: 'visit' }, { action: 'release' }),
  door(visits.listVisitWrites, 'user', { sessionId: 'visit' }),
  door(visits.listMachineWrites, 'bkey+', { machineId: 'machine' }),

  door(enterprises.listUserEnterprises, 'user'),
  door(enterprises.createEnterprise, 'user', {}, { name: 'Foundry' }),
  door(enterprises.getEnterprise, 'ent', inEnterprise),
  door(enterprises.getEnterprisePermission, 'ent', inEnterprise),
  door(enterprises.updateEnterprise, 'ent:admin', inEnterprise),
  door(enterprises.listMembers, 'ent', inEnterprise),
  door(enterprises.inviteMember, 'ent:admin', inEnterprise, nobody),
  door(enterprises.updateMember, 'ent:admin', { eid: 'eid', userId: 'member' }),
  door(enterprises.removeMember, 'ent:admin', { eid: 'eid', userId: 'member' }),
  door(enterprises.listInvitations, 'user'),
  door(enterprises.answerInvitation, 'user', { id: 'invitation' }, { action: 'decline' }),
  door(enterprises.listSentInvitations, 'ent:admin', inEnterprise),
  door(enterprises.removeInvitation, 'ent:admin', { eid: 'eid', id: 'invitationSent' }),
  door(enterprises.listManagementMembers, 'ent', { eid: 'eid', teamId: 'team' }),
  door(enterprises.listMaintenanceMembers, 'ent', inEnterprise),
  door(enterprises.listTeams, 'ent', inEnterprise),
  door(
    enterprises.createTeam,
    'ent:admin',
    { eid: 'eid', memberIds: 'members', machineIds: 'machines' },
    { kind: 'manage', name: 'Night shift' },
  ),
  door(enterprises.updateTeam, 'ent:admin', {
    eid: 'eid',
    id: 'team',
    memberIds: 'members',
    machineIds: 'machines',
  }),
  door(enterprises.removeTeam, 'ent:admin', { eid: 'eid', id: 'team' }),
  door(enterprises.listEnterpriseDevices, 'ent', { eid: 'eid', groupId: 'group' }),
  door(enterprises.listEnterpriseMachines, 'ent', { eid: 'eid', groupId: 'group' }),
  door(enterprises.getEnterpriseMachine, 'ent', device),
  door(enterprises.getEnterpriseMachineBase, 'ent', device),
  door(enterprises.listMachinePersonnel, 'ent', device),
  door(enterprises.listMachineMaintenancePersonnel, 'ent', device),
  door(enterprises.updateMaintenanceRemark, 'ent:maintain', device, { remark: '' }),
  door(enterprises.listGroupsOfType, 'ent', inEnterprise),
  door(enterprises.listGroups, 'ent', inEnterprise),
  door(enterprises.createGroup, 'ent:manage', inEnterprise, { name: 'Hall 3' }),
  door(enterprises.updateGroup, 'ent:manage', { eid: 'eid', id: 'group' }, { name: 'Hall 3' }),
  door(enterprises.removeGroup, 'ent:manage', { eid: 'eid', id: 'group' }),
  door(
    enterprises.addEnterpriseMachine,
    'ent:manage',
    { eid: 'eid', groupId: 'group' },
    { machineCode: missing.code, password: 'wrong', name: 'Press' },
  ),
  // Teams are for administrators: who only manages may not name one.
  door(enterprises.updateEnterpriseMachine, 'ent:manage', {
    eid: 'eid',
    id: 'machine',
    groupId: 'group',
    teamId: 'claimedTeam',
  }),
  // Somebody holds a right to it, so that it stays.
  door(enterprises.removeEnterpriseMachine, 'ent:admin', { eid: 'eid', id: 'machine' }),
  door(enterprises.openEnterpriseVisit, 'visitor+', device, terminal),
  door(enterprises.openEnterpriseVisitByCode, 'visitor+', { eid: 'eid', machineCode: 'code' }, terminal),
  door(enterprises.requestMaintenance, 'ent:maintain', inEnterprise, {
    machineCode: missing.code,
    start: 1,
    stop: 2,
    scopes: ['view'],
    reason: 'worn',
  }),
  door(enterprises.answerMaintenance, 'akey', { id: 'window' }, { action: 'refuse' }),
  door(enterprises.listMaintenance, 'user'),
  door(enterprises.listEnterpriseMaintenance, 'ent', inEnterprise),

  door(operator.getOverview, 'operator'),
  door(operator.listBrands, 'operator'),
  door(operator.createBrand, 'operator', {}, brand),
  door(operator.updateBrand, 'operator', {}, { ...brand, id: missing.id }),
  door(operator.listUsers, 'operator'),
  door(operator.updateUser, 'operator', {}, { id: missing.id, isOperator: true }),
  door(operator.listEnterprises, 'operator'),
  door(operator.updateEnterprise, 'operator', {}, { eid: missing.id, enableProject: true }),
  door(operator.listMachines, 'operator'),
  door(operator.importMachines, 'operator', {}, { csv: 'no,line' }),
  door(operator.renewMachineLabel, 'operator', {}, { id: missing.id }),
  door(operator.listScadaRequests, 'operator'),
  door(operator.answerScadaRequest, 'operator', {}, { id: missing.id, approved: true, answer: 'yes' }),
  door(operator.listOutgoing, 'operator'),
  door(operator.listAudit, 'operator', {}, { userId: missing.id }),
]
