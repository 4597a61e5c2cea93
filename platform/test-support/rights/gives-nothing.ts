import {
  access,
  accounts,
  agentConfig,
  alarmContacts,
  alarmRules,
  alarms,
  annotations,
  applications,
  boards,
  checks,
  enterprises,
  exports,
  machines,
  notifications,
  onboarding,
  projectData,
  projects,
  type Route,
  registration,
  smsStock,
  tagSettings,
  telemetry,
  visits,
} from '@busbar/contract'

/** Calls that only read although they are not GETs: older clients send their question in a body. */
const tells: readonly Route[] = [
  access.listGrants,
  alarmRules.tryAlarmRule,
  exports.previewExport,
  applications.listVisitTimes,
  enterprises.getEnterpriseMachine,
  enterprises.getEnterpriseMachineBase,
  enterprises.listMachineMaintenancePersonnel,
  enterprises.listMachinePersonnel,
  enterprises.listManagementMembers,
  machines.checkScannedCode,
  machines.getMachineDetail,
  machines.getMachineState,
  machines.listMachineAlarms,
  machines.listMachineStates,
  machines.listMachineStatesByCode,
  notifications.listSmsRecords,
  registration.getUserId,
  smsStock.listAllocations,
  visits.checkVisit,
]

/** Calls that take a right from a person, or give the caller's own up. */
const takes: readonly Route[] = [
  access.addToBlacklist,
  access.clearVisitTime,
  access.endVisitTime,
  access.removeVisitor,
  applications.cancelApplication,
  enterprises.endMaintenance,
  enterprises.removeEnterpriseMachine,
  enterprises.removeInvitation,
  enterprises.removeMember,
  enterprises.endMaintenance,
  enterprises.removeTeam,
  machines.removeMachine,
  visits.endVisit,
]

/** Calls that ask another person to give. */
const asks: readonly Route[] = [enterprises.askHandover, enterprises.requestMaintenance]

/** Calls with which the caller takes a given right: by an offer, a code, or the password of a machine. */
const receives: readonly Route[] = [
  applications.applyForBind,
  applications.applyForVisit,
  applications.checkMachinePassword,
  enterprises.addEnterpriseMachine,
  enterprises.answerHandover,
  enterprises.answerInvitation,
  machines.addMachine,
  machines.answerTransfer,
  onboarding.connectMachine,
  visits.openVisit,
]

/** Calls that use a right of the caller. */
const uses: readonly Route[] = [
  enterprises.openEnterpriseVisit,
  enterprises.openEnterpriseVisitByCode,
  agentConfig.applyAgentConfig,
  agentConfig.browseAgentNodes,
  agentConfig.checkAgentConfig,
  agentConfig.readAgentRegisters,
  agentConfig.restoreAgentConfig,
  agentConfig.startScan,
  alarmRules.applyAlarmRuleTemplate,
  alarmRules.copyAlarmRules,
  alarmRules.createAlarmRule,
  alarmRules.deleteAlarmRule,
  alarmRules.deleteAlarmRuleTemplate,
  alarmRules.importAlarmRules,
  alarmRules.saveAlarmRuleTemplate,
  alarmRules.updateAlarmRule,
  alarmContacts.putEscalation,
  alarms.confirmAlarms,
  alarms.confirmManyAlarms,
  alarms.endShelve,
  alarms.shelveAlarms,
  alarms.shelveManyAlarms,
  alarms.takeAlarmsOutOfService,
  machines.confirmAlarms,
  notifications.setEnterpriseMachineSmsFlag,
  notifications.setMachineSmsFlag,
  tagSettings.importTags,
  tagSettings.setTag,
  tagSettings.setTagReset,
  tagSettings.removeTagReset,
  projectData.getEmbeddedVisit,
  telemetry.writeTag,
  visits.extendVisit,
]

/** Calls about the caller's own friends, lists and notes. */
const own: readonly Route[] = [
  accounts.addFriend,
  accounts.confirmDeviceCode,
  accounts.removeFriend,
  accounts.scanDeviceCode,
  annotations.createAnnotation,
  annotations.hideAnnotation,
  boards.lookUpBoardTags,
  boards.saveBoardTemplate,
  checks.startCheck,
  exports.createExport,
  enterprises.deleteEnterprise,
  enterprises.updateMaintenanceRemark,
  machines.setKeyTag,
  machines.updateMachine,
  machines.updateUserGroup,
  alarmContacts.createContact,
  alarmContacts.createEnterpriseContact,
  alarmContacts.updateContact,
  alarmContacts.updateEnterpriseContact,
  notifications.setUserMsgConfig,
  notifications.testAlarmWays,
  smsStock.transferStock,
  registration.updateAccount,
]

/** Calls of projects, which give nobody a right over a machine: rows rest on the right of the member who adds it. */
const ofProjects: readonly Route[] = [
  projects.addProjectMachine,
  projects.addProjectUser,
  projects.answerProjectInvitation,
  projects.deleteProject,
  projects.getEnterpriseProject,
  projects.getServer,
  projects.listEnterpriseProjectMachines,
  projects.listProjectMachines,
  projects.listProjects,
  projects.listProjectUsers,
  projects.removeProjectMachine,
  projects.removeProjectUser,
  projects.resetProjectKey,
  projects.setProjectConsent,
  projects.takeProjectMachineOver,
  projects.takeProjectOver,
  projects.transferProject,
  projects.updateProject,
  projects.withdrawMachine,
]

/**
 * The calls that name a person, a machine or something of theirs, and give no person a right and no machine a setting:
 * GET calls do not, nor do those of operators, who have no right over an owned machine, and of people without a session.
 */
export const givesNothing: readonly Route[] = [
  ...tells,
  ...takes,
  ...asks,
  ...receives,
  ...uses,
  ...own,
  ...ofProjects,
]
