module.exports = { testMatch: ["**/*.test.cjs"] };
