export { isAuditOpen as isOpen } from '@busbar/contract'
