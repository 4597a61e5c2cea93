import {
  access,
  accounts,
  applications,
  brands,
  codes,
  enterprises,
  ingest,
  machines,
  messages,
  operator,
  type Route,
  registration,
  scada,
  telemetry,
  visits,
} from '@busbar/contract'

/** Calls that only tell, though they are no GET: older clients send what they ask for in a body. */
const tells: readonly Route[] = [
  access.listGrants,
  accounts.selectInfo,
  accounts.listFriends,
  applications.listVisitTimes,
  brands.getCustomInfo,
  brands.getLogo,
  enterprises.getEnterpriseMachine,
  enterprises.getEnterpriseMachineBase,
  enterprises.getEnterprisePermission,
  enterprises.listEnterpriseDevices,
  enterprises.listEnterpriseMachines,
  enterprises.listGroups,
  enterprises.listGroupsOfType,
  enterprises.listMachineMaintenancePersonnel,
  enterprises.listMachinePersonnel,
  enterprises.listMaintenanceMembers,
  enterprises.listManagementMembers,
  enterprises.listUserEnterprises,
  machines.checkScannedCode,
  machines.getMachineDetail,
  machines.getMachineState,
  machines.listGeneralAttributes,
  machines.listMachineAlarms,
  machines.listMachines,
  machines.listMachineStates,
  machines.listMachineStatesByCode,
  messages.listMessages,
  messages.listMessagesOfTab,
  registration.getUserId,
  visits.checkVisit,
  visits.testVisitUrl,
]

/** Calls that take something from somebody, or give something of one's own up. */
const takes: readonly Route[] = [
  access.addToBlacklist,
  access.clearVisitTime,
  access.endVisitTime,
  access.removeVisitor,
  applications.cancelApplication,
  enterprises.removeEnterpriseMachine,
  enterprises.removeGroup,
  enterprises.removeInvitation,
  enterprises.removeMember,
  enterprises.removeTeam,
  machines.removeMachine,
  visits.endVisit,
]

/** Calls that ask somebody else to give. */
const asks: readonly Route[] = [enterprises.requestMaintenance, scada.registerScada]

/** Calls by which one gets what somebody gave: by an offer, a code, or the password of a machine. */
const receives: readonly Route[] = [
  applications.applyForBind,
  applications.applyForVisit,
  applications.checkMachinePassword,
  enterprises.addEnterpriseMachine,
  enterprises.answerInvitation,
  machines.addMachine,
  machines.answerTransfer,
  visits.openVisit,
]

/** Calls that use a right one has. */
const uses: readonly Route[] = [
  enterprises.openEnterpriseVisit,
  enterprises.openEnterpriseVisitByCode,
  ingest.ingestTelemetry,
  machines.confirmAlarms,
  telemetry.writeTag,
  visits.extendVisit,
]

/** Calls about the caller's own account, sessions, list and enterprise's notes: of no machine's rights or settings. */
const own: readonly Route[] = [
  accounts.addFriend,
  accounts.checkQrLogin,
  accounts.confirmDeviceCode,
  accounts.confirmQrLogin,
  accounts.confirmSecondFactor,
  accounts.createDeviceCode,
  accounts.createQrToken,
  accounts.login,
  accounts.logout,
  accounts.provePassword,
  accounts.redeemDeviceCode,
  accounts.removeFriend,
  accounts.removeOtherTerminals,
  accounts.removeSecondFactor,
  accounts.removeTerminal,
  accounts.scanDeviceCode,
  accounts.scanQrLogin,
  accounts.setHideMap,
  accounts.setUpSecondFactor,
  accounts.updateLocale,
  accounts.updateSafety,
  brands.createUpload,
  codes.checkEmailCode,
  codes.checkPhoneCode,
  codes.sendEmailCode,
  codes.sendPhoneCode,
  enterprises.createEnterprise,
  enterprises.createGroup,
  enterprises.updateEnterprise,
  enterprises.updateEnterpriseTimeZone,
  enterprises.updateGroup,
  enterprises.updateMaintenanceRemark,
  machines.createUserGroup,
  machines.removeUserGroup,
  machines.setKeyTag,
  machines.updateMachine,
  machines.updateUserGroup,
  messages.clearMessages,
  messages.readMessages,
  registration.activateAccount,
  registration.changeLoginPassword,
  registration.register,
  registration.resetPassword,
  registration.updateAccount,
  registration.updateUserName,
]

/** The back office: an operator gives nothing of an owned machine, and only operators make operators. */
const ofOperators: readonly Route[] = [
  operator.answerScadaRequest,
  operator.archiveBrand,
  operator.createBrand,
  operator.createMachineType,
  operator.importMachines,
  operator.removeMachineType,
  operator.renewMachineLabel,
  operator.unarchiveBrand,
  operator.updateBrand,
  operator.updateEnterprise,
  operator.updateMachineType,
  operator.updateUser,
]

/** Every call that changes something, or could by its method, and gives nobody a right or a machine a setting. */
export const givesNothing: readonly Route[] = [
  ...tells,
  ...takes,
  ...asks,
  ...receives,
  ...uses,
  ...own,
  ...ofOperators,
]
