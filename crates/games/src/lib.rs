//! The five games of Quincunx, and the registry that lists them.
