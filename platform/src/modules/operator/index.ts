/** The back office: what the people who run the platform see and change. */
export { createOperator, type NewOperator } from './create-operator.ts'
export { operatorRoutes } from './operator-routes.ts'
export { resetSecondFactor } from './reset-second-factor.ts'
