import { access, applications, machines, telemetry, visits } from '@busbar/contract'
import { type Door, door, missing, nobodyByAccount, terminal } from './door.ts'

/** What a key says where nobody asked: nothing comes of it. */
const reply = { messageID: missing.id, userID: missing.id, state: 0 } as const
const verdict = { pass: false, msgId: undefined } as const

/** The routes about one's machines: who may touch them, what they tell, who is inside. */
export const machineDoors: readonly Door[] = [
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

  door(machines.removeMachine, 'user', { delMachineID: 'listEntry' }),
  door(machines.updateMachine, 'entry', { updateMachineID: 'machine', updateMachineCode: 'code' }),
  // It exists to tell.
  door(machines.checkScannedCode, 'user', {}, { machineCode: missing.code }),
  door(machines.offerMachine, 'akey', { machineID: 'machine' }, nobodyByAccount),
  door(machines.offerMachine, 'akey', { machineID: 'machine', userId: 'friend' }),
  door(machines.answerTransfer, 'user', { applyId: 'offer' }, { action: 'refuse' }),
  door(machines.listTransfers, 'user'),
  door(machines.confirmAlarms, 'holder', { machineID: 'machine', alarmIds: 'alarms' }),
  door(machines.listMachineAlarms, 'bkey+', { machineID: 'machine' }),
  door(machines.getGeneralAttributes, 'holder', { deviceId: 'machine' }),
  door(machines.listGeneralAttributes, 'user', { groupId: 'userGroup' }),
  door(machines.listUserGroups, 'user'),
  door(machines.createUserGroup, 'user', {}, { name: 'Hall 3' }),
  door(machines.updateUserGroup, 'user', { id: 'userGroup', machineIds: 'machines' }),
  door(machines.removeUserGroup, 'user', { id: 'userGroup' }),

  door(access.listGrants, 'bkey+', { machineID: 'machine' }, { infoType: 3 }),
  door(access.addBkey, 'bkey+', { machineID: 'machine' }, nobodyByAccount),
  door(access.addBkey, 'bkey+', { machineID: 'machine', userId: 'friend' }),
  door(access.addVisitor, 'bkey+', { machineID: 'machine' }, { ...nobodyByAccount, validTime: -1 }),
  door(access.addVisitor, 'bkey+', { machineID: 'machine', userId: 'friend' }, { validTime: -1 }),
  door(access.updateLevel, 'bkey+', { id: 'grant' }, { limit: 0 }),
  door(access.endVisitTime, 'bkey+', { visitAlidTimeID: 'grant', machineID: 'machine' }),
  door(access.setVisitTime, 'bkey+', { visitTimeId: 'grant' }, { visitTime: -1 }),
  door(access.clearVisitTime, 'bkey+', { visitTimeId: 'grant' }),
  door(access.removeVisitor, 'bkey+', { visitTimeId: 'grant' }),
  door(access.addToBlacklist, 'bkey+', { deviceId: 'machine' }, { userId: missing.id }),
  door(access.removeFromBlacklist, 'bkey+', { deviceId: 'machine' }, { userId: missing.id }),
  door(access.setReadOnly, 'bkey+', { machineID: 'machine' }, { userID: missing.id, limitRead: 1 }),
  door(access.setAlarmBit, 'bkey+', { machineID: 'machine' }, { userID: missing.id, limitAlarm: 1 }),
  door(access.setCloudService, 'akey', { machineID: 'machine' }),
  door(access.setMachinePassword, 'akey', { machineID: 'machine' }, { password: 'label-password' }),
  door(access.resetSecret, 'akey', { machineID: 'machine' }),
  door(access.updateMachineInfo, 'bkey+', { machineCode: 'code' }),
  door(access.resetImage, 'bkey+', { deviceId: 'machine' }),
  door(access.listReach, 'bkey+', { id: 'machine' }),
  door(access.getRole, 'user', { deviceId: 'machine' }),

  door(applications.applyForVisit, 'user', { machineID: 'machine' }, terminal),
  door(applications.applyForBind, 'user', { machineID: 'machine' }),
  door(
    applications.checkMachinePassword,
    'user',
    { machineID: 'machine' },
    { password: 'wrong', machineCode: undefined },
  ),
  door(
    applications.checkMachinePassword,
    'user',
    { machineCode: 'code' },
    { password: 'wrong', machineID: undefined },
  ),
  door(applications.replyToVisit, 'bkey+', { machineID: 'machine' }, reply),
  door(applications.replyToBind, 'bkey+', { machineID: 'machine' }, reply),
  door(applications.verifyVisit, 'bkey+', { applyId: 'visitApplication' }, verdict),
  door(applications.verifyBind, 'bkey+', { applyId: 'bindApplication' }, verdict),
  door(applications.cancelApplication, 'user', { applyId: 'application' }),
  door(applications.listApplicationSteps, 'user', { applyId: 'visitApplication' }, { deviceId: undefined }),
  door(applications.listApplicationSteps, 'user', { deviceId: 'machine' }, { applyId: undefined }),
  door(applications.listApplications, 'bkey+', { id: 'machine' }),
  door(applications.listVisitTimes, 'bkey+', { deviceId: 'machine' }),

  door(telemetry.listTags, 'visitor+', { machineId: 'machine' }),
  door(telemetry.listLatest, 'visitor+', { machineId: 'machine' }),
  door(telemetry.getHistory, 'visitor+', { tagIds: 'tags' }, { from: 0, to: 60_000 }),
  door(telemetry.listRawMessages, 'bkey+', { machineId: 'machine' }),
  door(telemetry.getWrite, 'visitor+', { machineId: 'machine' }, { commandId: missing.id }),
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
  door(visits.getVisitReport, 'bkey+', { machineId: 'machine' }, { from: 0, to: 60_000 }),
]
