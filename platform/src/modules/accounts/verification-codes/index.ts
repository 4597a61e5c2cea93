/** Codes sent to an account, and the tickets for correct ones. */
export { type CodeCookies, registrationMs } from './code-cookies.ts'
export { type CodeBrand, logoAddress } from './code-message.ts'
export { type CodesModule, createCodesModule } from './codes-module.ts'
export {
  adoptCodes,
  type CodeDeps,
  type CodeRequest,
  hashAccount,
  type Sent,
  takeCode,
  takeTicket,
  writeCode,
} from './codes-service.ts'
