import { searchStoreContract } from './elasticsearch-contract.js'

searchStoreContract('es9')
