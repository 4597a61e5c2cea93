/** The back office: the data and the actions of the people who run the platform. */
export { createOperator, type NewOperator } from './create-operator.ts'
export { createOperatorModule } from './operator-module.ts'
export { resetSecondFactor } from './reset-second-factor.ts'
