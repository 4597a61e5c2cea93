/** The back office: what the people who run the platform see and change. */
export { createOperator, type NewOperator } from './create-operator.ts'
export { createOperatorModule } from './operator-module.ts'
export { resetSecondFactor } from './reset-second-factor.ts'
