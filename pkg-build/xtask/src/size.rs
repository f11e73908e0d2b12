//! Time that a build of wasm spends on its size and speed.

/// Time to spend on the size of the wasm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// Shrunk by wasm-opt, for deployment.
    Small,
    /// Compiled with little optimisation too, for local runs.
    Quick,
}

impl Size {
    /// Returns the profile of the workspace's Cargo.toml.
    pub fn profile(self) -> &'static str {
        match self {
            Self::Small => "release",
            Self::Quick => "local",
        }
    }
}
