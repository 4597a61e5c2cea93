/** Machines that people register themselves, and the links by which their agents are set up. */
export { addressesOf } from './machine-addresses.ts'
export { createOnboardingModule } from './onboarding-module.ts'
