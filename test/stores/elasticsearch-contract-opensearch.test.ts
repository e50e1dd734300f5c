import { searchStoreContract } from './elasticsearch-contract.js'

searchStoreContract('opensearch')
